#include "app/infer/kind_column.h"

#include <algorithm>
#include <map>
#include <optional>

#include "app/infer/action_words.h"
#include "app/infer/choice.h"
#include "app/infer/yaml_text.h"

namespace recmeter {
namespace {

struct WordCount {
  std::size_t all = 0;
  std::size_t showing = 0;  // of these

  [[nodiscard]] bool is_pure() const { return showing * 100 <= all * 2 || showing * 100 >= all * 98; }
};
using WordCounts = std::map<Cell, WordCount>;

std::optional<WordCounts> words_of(const Column& column, const std::vector<bool>& shows) {
  WordCounts words;
  for (std::size_t i = 0; i < column.cells.size(); ++i) {
    if (column.cells[i].empty()) continue;
    WordCount& word = words[column.cells[i]];
    if (words.size() > kinds_max) return std::nullopt;
    ++word.all;
    word.showing += !shows.empty() && shows[i] ? 1U : 0U;
  }
  return words.size() < 2 ? std::nullopt : std::optional(std::move(words));
}

// One has a letter: dates and numbers are no words for what was done. None has a control character: a configuration has none.
bool may_be_words(const WordCounts& words) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  const auto has = [&words](const auto& is_it) {
    return std::ranges::any_of(words, [&](const auto& word) { return std::ranges::any_of(word.first, is_it); });
  };
  return has(is_letter) && !has(is_control);
}

// The column is called so, its words tell what shows items and what does not, or most records have words of actions.
bool tells_kinds(const Column& column, const WordCounts& words, const std::vector<bool>& shows) {
  if (name_score(Role::type, column.path) == 1) return true;
  std::size_t known = 0, all = 0, showing = 0;
  for (const auto& [word, count] : words) {
    all += count.all;
    known += action_word(word).is_known() ? count.all : 0;
    showing += count.showing > 0 ? 1U : 0U;
  }
  if (!shows.empty()) return showing > 0 && showing < words.size();
  return known * 2 > all;
}

}  // namespace

const Column* find_kind_column(const LogSample& sample, const std::vector<bool>& shows, const Column* item) {
  const Column* best = nullptr;
  double best_score = 0;
  for (const Column& column : sample.columns) {
    if (column.present * 100 < sample.records * 98 || column.as_number > 0 || &column == item) continue;
    const auto words = words_of(column, shows);
    if (!words || !may_be_words(*words) || !tells_kinds(column, *words, shows)) continue;
    std::size_t pure = 0;
    for (const auto& [word, count] : *words) pure += count.is_pure() ? count.all : 0;
    const double share = static_cast<double>(pure) / static_cast<double>(sample.records);
    const double score = score_of(name_score(Role::type, column.path), 1, share);
    if (score > best_score && share >= 0.95) {
      best = &column;
      best_score = score;
    }
  }
  return best;
}

}  // namespace recmeter
