// yaml_text: a text as a scalar of YAML, in quotes where it needs them.
#pragma once

#include <string>
#include <string_view>

namespace recmeter {

[[nodiscard]] inline std::string yaml_text(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const bool is_letter = !text.empty() && ((text.front() | 0x20) >= 'a' && (text.front() | 0x20) <= 'z');
  const bool is_word = text == "null" || text == "true" || text == "false";
  if (text.find_first_not_of(plain) == std::string_view::npos && is_letter && !is_word) return std::string(text);
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A `$` is doubled where a variable would begin.
    const bool begins = text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '$');
    if (text[i] == '\'' || begins) out += text[i];
    out += text[i];
  }
  return out + "'";
}

}  // namespace recmeter
