#include "app/infer/split_texts.h"

#include <algorithm>
#include <array>

#include "recmeter/event/written_list.h"

namespace recmeter {
namespace {

// How texts are lists: cut at each separator, or read as a program writes them.
struct ListForm {
  std::string_view separator;
  bool is_written = false;
};

// The first that fits counts. A comma that blanks follow is that of a written list without brackets.
constexpr std::array plain_forms{ListForm{"||"}, ListForm{"::"},      ListForm{"|"}, ListForm{";"},
                                 ListForm{","},  ListForm{",", true}, ListForm{" "}};
constexpr std::array bracketed_forms{ListForm{",", true}, ListForm{";", true}, ListForm{"|", true}, ListForm{" ", true}};

std::vector<Cell> split(Cell text, std::string_view separator) {
  std::vector<Cell> entries;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) entries.push_back(text.substr(0, end));
    text = end == Cell::npos ? Cell() : text.substr(end + separator.size());
  }
  return entries;
}

// What is quoted refers to `texts`. Nothing: it is no list of the form.
std::vector<Cell> entries_of(Cell text, const ListForm& form, RecordArena& texts) {
  if (!form.is_written) return split(text, form.separator);
  std::vector<FieldValue> values;
  if (!append_written_list(text, form.separator, texts, values)) return {};
  std::vector<Cell> entries;
  for (const FieldValue& value : values) entries.push_back(value.kind() == ValueKind::text ? value.text() : Cell());
  return entries;
}

// Whether nearly all texts stand in brackets, or in quotes of their own.
bool is_bracketed(const Column& column) {
  std::size_t bracketed = 0;
  for (const Cell cell : column.cells) {
    if (cell.size() < 2) continue;
    const bool is_quoted = cell.front() == '"' && cell.back() == '"';
    bracketed += is_quoted || std::string_view("]})").find(cell.back()) != std::string_view::npos ? 1U : 0U;
  }
  return bracketed * 100 >= column.present * 95;
}

bool is_flag(Cell text) {
  return text == "0" || text == "1";
}

// A list of texts, most of which have several entries, which look like ids: short, and of the same kind.
bool is_list(const Column& column, const ListForm& form, RecordArena& texts) {
  std::size_t several = 0, entries = 0, long_entries = 0;
  for (const Cell cell : column.cells) {
    if (cell.find(form.separator) == Cell::npos) continue;
    const std::vector<Cell> found = entries_of(cell, form, texts);
    several += found.size() > 1 ? 1U : 0U;
    for (const Cell entry : found) {
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

ListColumn list_of(const Column& column, const ListForm& form, RecordArena& texts) {
  ListColumn list;
  list.path = column.path;
  list.separator = form.separator;
  list.is_written = form.is_written;
  list.present = column.present;
  for (const Cell cell : column.cells) list.cells.push_back(entries_of(cell, form, texts));
  return list;
}

const ListForm* form_of(const Column& column) {
  RecordArena trial;  // of entries that are looked at and not kept
  const auto find = [&](const auto& candidates) -> const ListForm* {
    const auto found = std::ranges::find_if(candidates, [&](const ListForm& form) { return is_list(column, form, trial); });
    return found == candidates.end() ? nullptr : &*found;
  };
  return is_bracketed(column) ? find(bracketed_forms) : find(plain_forms);
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
  for (const Column& column : sample.columns) {
    if (column.as_number > 0 || column.path.ends_with(":json")) continue;
    if (std::ranges::find(sample.lists, column.path + ":json", &ListColumn::path) != sample.lists.end()) continue;
    const ListForm* const form = form_of(column);
    if (form == nullptr) continue;
    ListColumn list = list_of(column, *form, sample.texts);
    if (has_flags(list)) {
      sample.lists.push_back(parts_of(list, "$1"));
      sample.lists.push_back(parts_of(list, "$2"));
    } else {
      sample.lists.push_back(std::move(list));
    }
  }
}

}  // namespace recmeter
