#include "app/infer/split_texts.h"

#include <algorithm>
#include <array>

namespace recmeter {
namespace {

std::vector<Cell> split(Cell text, char separator) {
  std::vector<Cell> entries;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) entries.push_back(text.substr(0, end));
    text = end == Cell::npos ? Cell() : text.substr(end + 1);
  }
  return entries;
}

bool is_flag(Cell text) {
  return text == "0" || text == "1";
}

// A list of texts, most of which have several entries, which look like ids: short, and of the same kind.
bool is_list(const Column& column, char separator) {
  std::size_t several = 0, entries = 0, long_entries = 0;
  for (const Cell cell : column.cells) {
    if (cell.find(separator) == Cell::npos) continue;
    ++several;
    for (const Cell entry : split(cell, separator)) {
      ++entries;
      if (entry.size() > 64 || entry.find(' ') != Cell::npos || entry.find('"') != Cell::npos) ++long_entries;
    }
  }
  return column.present > 0 && several * 10 >= column.present * 4 && entries >= 3 * several / 2 &&
         long_entries * 20 <= entries;
}

// Whether behind the last `-` of most entries a 0 or a 1 stands.
bool has_flags(const ListColumn& list) {
  std::size_t entries = 0, flags = 0;
  for (const auto& cells : list.cells) {
    for (const Cell entry : cells) {
      ++entries;
      const std::size_t at = entry.rfind('-');
      if (at != Cell::npos && at > 0 && is_flag(entry.substr(at + 1))) ++flags;
    }
  }
  return flags > 0 && flags * 100 >= entries * 95;
}

ListColumn list_of(const Column& column, char separator) {
  ListColumn list;
  list.path = column.path;
  list.separator = std::string(1, separator);
  list.present = column.present;
  for (const Cell cell : column.cells) list.cells.push_back(split(cell, separator));
  return list;
}

ListColumn parts_of(const ListColumn& whole, std::string_view entry) {
  ListColumn list = whole;
  list.part = "-";
  list.entry = entry;
  for (auto& cells : list.cells) {
    for (Cell& cell : cells) {
      const std::size_t at = cell.rfind('-');
      cell = entry == "$1" ? cell.substr(0, at) : at == Cell::npos ? Cell() : cell.substr(at + 1);
    }
  }
  return list;
}

}  // namespace

void add_split_texts(LogSample& sample) {
  constexpr std::array separators{'|', ';', ',', ' '};
  for (const Column& column : sample.columns) {
    if (column.as_number > 0 || column.path.ends_with(":json")) continue;
    const auto separator = std::ranges::find_if(separators, [&](char c) { return is_list(column, c); });
    if (separator == separators.end()) continue;
    ListColumn list = list_of(column, *separator);
    if (has_flags(list)) {
      sample.lists.push_back(parts_of(list, "$1"));
      sample.lists.push_back(parts_of(list, "$2"));
    } else {
      sample.lists.push_back(std::move(list));
    }
  }
}

}  // namespace recmeter
