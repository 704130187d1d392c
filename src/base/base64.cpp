#include "recmeter/base/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace recmeter {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Pair = std::array<char, 2>;

// The two digits of 12 bits.
constexpr std::array<Pair, 4096> pairs_of_digits() {
  std::array<Pair, 4096> pairs{};
  for (std::size_t bits = 0; bits < pairs.size(); ++bits) pairs[bits] = {digits[bits >> 6U], digits[bits & 63U]};
  return pairs;
}
constexpr std::array<Pair, 4096> pair_of = pairs_of_digits();

constexpr std::uint32_t no_digit = std::uint32_t{1} << 24;

// What a digit adds to the 24 bits of its four, by its place among them.
using Values = std::array<std::uint32_t, 256>;
constexpr std::array<Values, 4> values_of_digits() {
  std::array<Values, 4> values{};
  for (std::size_t place = 0; place < 4; ++place) {
    values[place].fill(no_digit);
    for (std::size_t i = 0; i < digits.size(); ++i) {
      values[place][static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint32_t>(i << (18 - 6 * place));
    }
  }
  return values;
}
constexpr std::array<Values, 4> value_of = values_of_digits();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0U;
}

// From no_digit on, where one of them is none.
std::uint32_t bits_of(const char* four) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= value_of[i][static_cast<std::uint8_t>(four[i])];
  return bits;
}

void put_bytes(char* to, std::uint32_t bits) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<char>(bits >> (16 - 8 * i));
}

}  // namespace

void add_base64(std::string& to, std::string_view bytes) {
  const std::size_t begin = to.size();
  to.resize(begin + (bytes.size() + 2) / 3 * 4);
  char* out = to.data() + begin;
  for (std::size_t at = 0; at < bytes.size(); at += 3, out += 4) {
    const std::uint32_t bits = byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
    std::memcpy(out, pair_of[bits >> 12U].data(), 2);
    std::memcpy(out + 2, pair_of[bits & 4095U].data(), 2);
  }
  for (std::size_t padding = (3 - bytes.size() % 3) % 3; padding > 0; --padding) *--out = '=';
}

bool read_base64(std::string_view text, std::string& to) {
  if (text.size() % 4 != 0) return false;
  if (text.empty()) return true;
  const std::size_t padding = !text.ends_with('=') ? 0 : text[text.size() - 2] == '=' ? 2 : 1;
  const std::size_t begin = to.size();
  to.resize(begin + text.size() / 4 * 3);
  char* out = to.data() + begin;
  const char* const last = text.data() + text.size() - 4;
  std::uint32_t all = 0;
  for (const char* at = text.data(); at != last; at += 4, out += 3) {
    const std::uint32_t bits = bits_of(at);
    all |= bits;
    put_bytes(out, bits);
  }
  std::array<char, 4> four{'A', 'A', 'A', 'A'};
  std::copy_n(last, 4 - padding, four.begin());
  const std::uint32_t bits = bits_of(four.data());
  put_bytes(out, bits);
  to.resize(to.size() - padding);
  return (all | bits) < no_digit && (bits & ((1U << (8 * padding)) - 1U)) == 0;
}

}  // namespace recmeter
