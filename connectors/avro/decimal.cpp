#include "avro/decimal.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "recmeter/base/read_number.h"

namespace recmeter::avro {
namespace {

constexpr std::size_t bytes_max = 64;

// The digits of a magnitude of big-endian bytes, which are used up.
std::string digits_of(std::string magnitude) {
  std::string digits;
  while (std::ranges::any_of(magnitude, [](char byte) { return byte != 0; })) {
    unsigned rest = 0;
    for (char& byte : magnitude) {
      const unsigned value = rest * 256 + static_cast<unsigned char>(byte);
      byte = static_cast<char>(value / 10);
      rest = value % 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  if (digits.empty()) digits = "0";
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

FieldValue decimal_value(std::string_view bytes, std::size_t scale) {
  if (bytes.size() > bytes_max) return FieldValue::of_number(std::numeric_limits<double>::infinity());
  std::string magnitude(bytes);
  const bool is_negative = !bytes.empty() && static_cast<unsigned char>(bytes.front()) >= 0x80;
  if (is_negative) {
    unsigned carry = 1;
    for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) {
      carry += static_cast<unsigned char>(~static_cast<unsigned char>(*byte));
      *byte = static_cast<char>(carry & 0xFFU);
      carry >>= 8U;
    }
  }
  const std::string digits = (is_negative ? "-" : "") + digits_of(std::move(magnitude));
  if (scale == 0) {
    if (const auto integer = read_number<std::int64_t>(digits)) return FieldValue::of_integer(*integer);
    if (const auto large = read_number<std::uint64_t>(digits)) return FieldValue::of_unsigned(*large);
  }
  // Nothing is too small for one: 0. 64 bytes are below the largest.
  return FieldValue::of_number(read_number<double>(digits + "e-" + std::to_string(scale)).value_or(0));
}

}  // namespace recmeter::avro
