#include "recmeter/base/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace recmeter {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> values_of_digits() {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) values[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  return values;
}
constexpr std::array<std::uint8_t, 256> value_of = values_of_digits();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0U;
}

}  // namespace

void add_base64(std::string& to, std::string_view bytes) {
  const std::size_t begin = to.size();
  to.resize(begin + (bytes.size() + 2) / 3 * 4);
  char* out = to.data() + begin;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t bits = byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
    for (std::size_t i = 0; i < 4; ++i) *out++ = digits[bits >> (18 - 6 * i) & 63U];
  }
  for (std::size_t padding = (3 - bytes.size() % 3) % 3; padding > 0; --padding) *--out = '=';
}

bool read_base64(std::string_view text, std::string& to) {
  if (text.size() % 4 != 0) return false;
  const std::size_t padding = !text.ends_with('=') ? 0 : text[text.size() - 2] == '=' ? 2 : 1;
  const std::size_t begin = to.size();
  to.resize(begin + text.size() / 4 * 3);
  char* out = to.data() + begin;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const std::size_t known = at + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t bits = 0;
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t value = i < known ? value_of[static_cast<std::uint8_t>(text[at + i])] : 0U;
      wrong |= value & no_digit;
      bits = bits << 6U | value;
    }
    if (wrong != 0 || (bits & ((1U << (8 * (4 - known))) - 1U)) != 0) return false;
    for (std::size_t i = 0; i < 3; ++i) *out++ = static_cast<char>(bits >> (16 - 8 * i));
  }
  to.resize(to.size() - padding);
  return true;
}

}  // namespace recmeter
