#include "app/top/styled_line.h"

#include <algorithm>
#include <array>

#include "app/console/messages.h"

namespace recmeter::top {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};
constexpr std::array<Range, 10> wide{{{0x1100, 0x115f},
                                      {0x2e80, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0xffe0, 0xffe6},
                                      {0x1f300, 0x1f64f},
                                      {0x1f900, 0x1faff},
                                      {0x20000, 0x3fffd}}};
constexpr std::array<Range, 7> without_width{
    {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}}};

template <std::size_t n>
bool is_in(const std::array<Range, n>& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [character](Range range) { return character >= range.first && character <= range.last; });
}

std::size_t columns_of_character(char32_t character) {
  if (is_in(without_width, character)) return 0;
  return is_in(wide, character) ? 2 : 1;
}

// Bytes and code of the character that well-formed, not empty text begins with.
std::pair<std::size_t, char32_t> first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (bytes == 1) return {1, lead};
  char32_t character = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes && i < text.size(); ++i) {
    character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return {std::min(bytes, text.size()), character};
}

std::string_view sequence_of(Look look) {
  switch (look) {
    case Look::strong: return "\x1b[1m";
    case Look::faint: return "\x1b[2m";
    case Look::alarm: return "\x1b[1;31m";
    case Look::plain: break;
  }
  return {};
}

}  // namespace

std::string_view beginning_of(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const auto [size, character] = first_character(text.substr(bytes));
    const std::size_t wants = columns_of_character(character);
    if (wants > columns) break;
    columns -= wants;
    bytes += size;
  }
  return text.substr(0, bytes);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto [size, character] = first_character(text);
    columns += columns_of_character(character);
    text.remove_prefix(size);
  }
  return columns;
}

StyledLine& StyledLine::add(std::string_view text, Look look) {
  pieces_.emplace_back(harmless(text), look);
  columns_ += columns_of(pieces_.back().first);
  return *this;
}

StyledLine& StyledLine::to_column(std::size_t column) {
  const std::size_t blanks = column > columns_ ? column - columns_ : (columns_ > 0 ? 1 : 0);
  return add(std::string(blanks, ' '));
}

std::string StyledLine::render(std::size_t columns_max, bool color) const {
  const bool is_cut = columns_max > 0 && columns_ > columns_max;
  std::size_t room = is_cut ? columns_max - 1 : columns_;
  std::string out;
  for (const auto& [text, look] : pieces_) {
    const std::string_view shown = beginning_of(text, room);
    const bool has_look = color && look != Look::plain && !shown.empty();
    if (has_look) out += sequence_of(look);
    out += shown;
    if (has_look) out += "\x1b[0m";
    room -= columns_of(shown);
    if (shown.size() < text.size()) break;
  }
  if (is_cut) out += "\xe2\x80\xa6";
  while (!color && out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace recmeter::top
