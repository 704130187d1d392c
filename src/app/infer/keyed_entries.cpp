#include "app/infer/keyed_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter {
namespace {

constexpr std::array<std::string_view, 3> names{"key", "name", "experiment"};
constexpr std::size_t keys_max = 24;  // more are names of things

bool is_plain(Cell key) {
  const auto is_it = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::ranges::all_of(key, is_it);
}

// Those of the entries. None: an entry may have the key of another, or there are too many.
std::set<Cell> keys_in(const ListColumn& list) {
  std::set<Cell> keys;
  for (const auto& cells : list.cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i), cells[i]) !=
          cells.begin() + static_cast<std::ptrdiff_t>(i)) {
        return {};
      }
      if (is_plain(cells[i])) keys.insert(cells[i]);
    }
    if (keys.size() > keys_max) return {};
  }
  return keys;
}

Column column_of(const ListColumn& keys, const ListColumn& values, Cell key) {
  Column column;
  column.path = fmt::format("{}[{}={}].{}", keys.path, keys.entry, key, values.entry);
  column.cells.resize(keys.cells.size());
  for (std::size_t i = 0; i < keys.cells.size() && i < values.cells.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(keys.cells[i], key) - keys.cells[i].begin());
    if (at >= keys.cells[i].size() || at >= values.cells[i].size()) continue;
    column.cells[i] = values.cells[i][at];
    column.present += column.cells[i].empty() ? 0U : 1U;
  }
  return column;
}

}  // namespace

void add_keyed_entries(LogSample& sample) {
  std::vector<Column> found;
  for (const ListColumn& keys : sample.lists) {
    if (std::ranges::find(names, keys.entry) == names.end()) continue;
    for (const Cell key : keys_in(keys)) {
      for (const ListColumn& values : sample.lists) {
        if (values.path != keys.path || values.entry == keys.entry || values.entry.empty()) continue;
        Column column = column_of(keys, values, key);
        if (column.present > 0) found.push_back(std::move(column));
      }
    }
  }
  for (Column& column : found) sample.columns.push_back(std::move(column));
  std::ranges::sort(sample.columns, {}, &Column::path);
}

}  // namespace recmeter
