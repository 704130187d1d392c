// UTF-8 (Unicode 15, table 3-7) read one code point at a time, and how a terminal shows it.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace recmeter {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;  // if not: one byte that is no part of well-formed UTF-8 (overlong forms and surrogates included)
};

// Requires: at < text.size().
[[nodiscard]] CodePoint code_point_at(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

// Columns on a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji, else 1.
[[nodiscard]] std::size_t display_width(char32_t value);

// Whether a terminal might act on it or show nothing: controls, line separators, marks that turn the writing direction.
[[nodiscard]] bool is_unprintable(char32_t value);

}  // namespace recmeter
