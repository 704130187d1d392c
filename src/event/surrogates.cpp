#include "event/surrogates.h"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace recmeter {
namespace {

constexpr std::size_t escape_size = 6;  // \uXXXX

// The code unit of the escape at `at`, or 0 when there is no \u escape.
std::uint32_t code_unit(std::string_view json, std::size_t at) noexcept {
  if (json.size() < at + escape_size || json[at] != '\\' || json[at + 1] != 'u') return 0;
  std::uint32_t unit = 0;
  std::from_chars(json.data() + at + 2, json.data() + at + escape_size, unit, 16);
  return unit;
}

constexpr bool is_high(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
constexpr bool is_low(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

bool has_lone_surrogate(std::string_view json) noexcept {
  std::size_t at = json.find('\\');
  while (at != std::string_view::npos) {
    const std::uint32_t unit = code_unit(json, at);
    std::size_t size = 2;  // any other escape: a backslash and a character
    if (is_low(unit)) return true;
    if (is_high(unit)) {
      if (!is_low(code_unit(json, at + escape_size))) return true;
      size = 2 * escape_size;
    }
    at = json.find('\\', at + size);
  }
  return false;
}

}  // namespace recmeter
