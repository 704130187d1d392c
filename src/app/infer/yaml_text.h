// yaml_text: a text as a scalar of YAML, in quotes where it needs them. Its control characters are escapes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace recmeter {

[[nodiscard]] inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

[[nodiscard]] inline std::string yaml_text(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const bool is_letter = !text.empty() && ((text.front() | 0x20) >= 'a' && (text.front() | 0x20) <= 'z');
  const bool is_word = text == "null" || text == "true" || text == "false";
  if (text.find_first_not_of(plain) == std::string_view::npos && is_letter && !is_word) return std::string(text);
  const bool has_escapes = std::ranges::any_of(text, is_control);
  const char quote = has_escapes ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A `$` is doubled where a variable would begin.
    const bool begins = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '$');
    if (is_control(text[i])) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      continue;
    }
    if (has_escapes && (text[i] == '"' || text[i] == '\\')) {
      out += '\\';
    } else if ((!has_escapes && text[i] == '\'') || begins) {
      out += text[i];
    }
    out += text[i];
  }
  return out + quote;
}

// The text of a comment, on one line.
[[nodiscard]] inline std::string comment_text(std::string text) {
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

// A line with what speaks for it behind it.
[[nodiscard]] inline std::string yaml_line(std::string text, const std::string& comment) {
  constexpr std::size_t comment_column = 44;
  if (comment.empty()) return text + "\n";
  text.resize(std::max(text.size() + 2, comment_column), ' ');
  return text + "# " + comment_text(comment) + "\n";
}

}  // namespace recmeter
