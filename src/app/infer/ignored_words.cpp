#include "app/infer/ignored_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

constexpr std::string_view anything = "\"*\"";
constexpr std::size_t told_max = 8;

const Column* column_at(const LogSample& sample, const std::string& path) {
  const auto at = std::ranges::find_if(sample.columns, [&](const Column& column) { return yaml_text(column.path) == path; });
  return at == sample.columns.end() ? nullptr : &*at;
}

// A condition on something else than a column or a list may hold.
bool may_be_met(const LogSample& sample, const std::pair<std::string, std::string>& condition, std::size_t record) {
  const auto& [path, pattern] = condition;
  if (const Column* column = column_at(sample, path)) {
    const Cell cell = column->cells[record];
    return !cell.empty() && (pattern == anything || yaml_text(cell) == pattern);
  }
  const auto list = std::ranges::find_if(sample.lists, [&](const ListColumn& one) { return yaml_text(one.path) == path; });
  return list == sample.lists.end() || !list->cells[record].empty();
}

// Columns whose words the rules name, each once.
std::vector<const Column*> kind_columns(const InputGuess& input) {
  std::vector<const Column*> columns;
  for (const EventGuess& event : input.events) {
    for (const auto& [path, pattern] : event.when) {
      const Column* column = pattern == anything ? nullptr : column_at(*input.sample, path);
      if (column != nullptr && std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
  }
  return columns;
}

// With the number of their records, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> ignored_words(const InputGuess& input, const Column& column) {
  std::map<Cell, std::pair<std::size_t, bool>> words;
  for (std::size_t i = 0; i < column.cells.size(); ++i) {
    if (column.cells[i].empty()) continue;
    auto& [records, is_asked_for] = words[column.cells[i]];
    ++records;
    is_asked_for = is_asked_for || std::ranges::any_of(input.events, [&](const EventGuess& event) {
                     return std::ranges::all_of(
                         event.when, [&](const auto& condition) { return may_be_met(*input.sample, condition, i); });
                   });
  }
  std::vector<std::pair<std::string, std::size_t>> ignored;
  for (const auto& [word, of] : words) {
    if (!of.second) ignored.emplace_back(word, of.first);
  }
  std::ranges::stable_sort(ignored, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  return ignored;
}

}  // namespace

std::string ignored_words_text(const InputGuess& input) {
  std::string text;
  for (const Column* column : kind_columns(input)) {
    const auto ignored = ignored_words(input, *column);
    if (ignored.empty()) continue;
    std::string told;
    for (std::size_t i = 0; i < ignored.size() && i < told_max; ++i) {
      told += fmt::format("{}{} ({})", told.empty() ? "" : ", ", ignored[i].first, ignored[i].second);
    }
    if (ignored.size() > told_max) told += fmt::format(" and {} more", ignored.size() - told_max);
    text += fmt::format("    # {} has other words, which are ignored: {}\n", comment_text(column->path), comment_text(told));
  }
  return text;
}

}  // namespace recmeter
