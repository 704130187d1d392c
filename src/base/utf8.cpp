#include "recmeter/base/utf8.h"

#include <algorithm>
#include <array>

namespace recmeter {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The blocks that matter in practice, not the whole of Unicode's tables.
constexpr std::array combining{Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd}, Range{0x064b, 0x065f},
                               Range{0x0e34, 0x0e3a}, Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200f},
                               Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}};
constexpr std::array wide{Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},   Range{0xac00, 0xd7a3},
                          Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},
                          Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};
constexpr std::array unprintable{Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0xad, 0xad},     Range{0x061c, 0x061c},
                                 Range{0x200b, 0x200f}, Range{0x2028, 0x202e}, Range{0x2060, 0x206f}, Range{0xfeff, 0xfeff}};

template <std::size_t count>
bool is_in(const std::array<Range, count>& ranges, char32_t value) {
  return std::any_of(ranges.begin(), ranges.end(), [value](Range r) { return r.first <= value && value <= r.last; });
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> char32_t { return static_cast<unsigned char>(text[at + i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - at < size) return {};
  char32_t value = lead & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    value = (value << 6U) | (byte(i) & 0x3fU);
  }
  const char32_t smallest = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
  if (value < smallest || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return {};
  return {value, size, true};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid) return false;
    at += point.bytes;
  }
  return true;
}

std::size_t display_width(char32_t value) {
  if (value < 0x300) return 1;
  if (is_in(combining, value)) return 0;
  return is_in(wide, value) ? 2 : 1;
}

bool is_unprintable(char32_t value) {
  if (value >= 0x20 && value < 0x7f) return false;
  return is_in(unprintable, value);
}

}  // namespace recmeter
