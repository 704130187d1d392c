#include "recmeter/event/written_list.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace recmeter {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view quotes = "\"'";
constexpr std::string_view openings = "[{(";
constexpr std::string_view closings = "]})";
constexpr std::array<std::string_view, 6> no_values{"NULL", "null", "None", "nan", "NaN", "<NA>"};

constexpr std::string_view elision = "...";  // numpy leaves out the middle of a long list

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Where the text that a quote opens at the beginning ends: behind the closing one. npos: nowhere.
std::size_t end_of_quoted(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text.front()) {
      if (i + 1 == text.size() || text[i + 1] != text.front()) return i + 1;
      ++i;  // a doubled quote stands for one
    }
  }
  return std::string_view::npos;
}

// Without its quotes, and without what escapes one.
std::string_view unquoted(std::string_view text, RecordArena& arena) {
  const char quote = text.front();
  text = text.substr(1, text.size() - 2);
  if (text.find('\\') == std::string_view::npos && text.find(quote) == std::string_view::npos) return text;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '\\' || text[i] == quote) && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return arena.copy(plain);
}

class WrittenList {
 public:
  WrittenList(std::string_view text, std::string_view separator, RecordArena& arena, std::vector<FieldValue>& entries)
      : rest_(trimmed(text)), separator_(trimmed(separator)), arena_(arena), entries_(entries) {}

  [[nodiscard]] bool read() {
    if (!take_off_quotes() || !take_off_brackets()) return false;
    for (bool more = !rest_.empty(); more;) {
      if (!read_entry()) return false;
      more = take_separator();
    }
    return rest_.empty();
  }

 private:
  // Around the whole list.
  bool take_off_quotes() {
    if (rest_.empty() || !is_one_of(rest_.front(), quotes)) return true;
    const std::size_t end = end_of_quoted(rest_);
    if (end == std::string_view::npos) return false;
    if (end == rest_.size()) rest_ = trimmed(unquoted(rest_, arena_));
    return true;
  }
  // And what their list is called, as in List(a, b). False: the first is not closed.
  bool take_off_brackets() {
    const std::size_t open = rest_.find_first_of(openings);
    if (open == std::string_view::npos || !is_name(rest_.substr(0, open))) return true;
    const std::size_t close = closing_of(open);
    if (close == std::string_view::npos) return open != 0;
    if (close + 1 != rest_.size()) return true;
    rest_ = trimmed(rest_.substr(open + 1, close - open - 1));
    is_bracketed_ = true;
    return true;
  }
  [[nodiscard]] std::size_t closing_of(std::size_t open) const {
    const char closing = closings[openings.find(rest_[open])];
    std::size_t depth = 0;
    bool is_entry = false;  // one may begin here
    for (std::size_t i = open; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (is_entry && is_one_of(c, quotes)) {
        const std::size_t end = end_of_quoted(rest_.substr(i));
        if (end == std::string_view::npos) return end;
        i += end - 1;
      }
      if (c == rest_[open]) ++depth;
      if (c == closing && --depth == 0) return i;
      const bool is_before_one = i == open || (separator_.empty() ? is_one_of(c, blanks) : c == separator_.back());
      is_entry = is_before_one || (is_entry && is_one_of(c, blanks));
    }
    return std::string_view::npos;
  }
  bool read_entry() {
    if (!rest_.empty() && is_one_of(rest_.front(), quotes)) {
      const std::size_t end = end_of_quoted(rest_);
      if (end == std::string_view::npos) return false;
      entries_.push_back(FieldValue::of_text(unquoted(rest_.substr(0, end), arena_)));
      rest_.remove_prefix(end);
      return true;
    }
    if (!rest_.empty() && is_one_of(rest_.front(), openings)) return false;
    const std::size_t end = separator_.empty() ? rest_.find_first_of(blanks) : rest_.find(separator_);
    const std::string_view entry = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end, rest_.size()));
    if (entry == elision) return false;
    const bool is_none = is_bracketed_ && std::ranges::find(no_values, entry) != no_values.end();
    entries_.push_back(is_none ? FieldValue() : FieldValue::of_text(entry));
    return true;
  }
  // Whether another entry follows.
  bool take_separator() {
    const std::string_view behind = rest_;
    rest_ = trimmed(rest_);
    if (rest_.empty()) return false;
    if (separator_.empty()) return rest_.size() < behind.size();
    if (!rest_.starts_with(separator_)) return false;
    rest_.remove_prefix(separator_.size());
    rest_ = trimmed(rest_);
    return !rest_.empty();  // ('a',)
  }

  std::string_view rest_;
  std::string_view separator_;  // "": blanks
  RecordArena& arena_;
  std::vector<FieldValue>& entries_;
  bool is_bracketed_ = false;
};

}  // namespace

bool append_written_list(std::string_view text, std::string_view separator, RecordArena& arena,
                         std::vector<FieldValue>& entries) {
  return WrittenList(text, separator, arena, entries).read();
}

}  // namespace recmeter
