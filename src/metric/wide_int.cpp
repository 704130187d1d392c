#include "metric/wide_int.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

using boost::multiprecision::uint1024_t;
using boost::multiprecision::uint512_t;
__extension__ using Wide = unsigned __int128;

// Of a number that is not negative.
uint512_t magnitude_of(const WideInt& number) {
  uint512_t magnitude;
  import_bits(magnitude, number.words().begin(), number.words().end(), 64, false);
  return magnitude;
}

}  // namespace

WideInt& WideInt::operator+=(const WideInt& other) {
  Wide carry = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    carry += Wide{words_[i]} + other.words_[i];
    words_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return *this;
}

// a - b = a + ~b + 1.
WideInt& WideInt::operator-=(const WideInt& other) {
  Wide carry = 1;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    carry += Wide{words_[i]} + ~other.words_[i];
    words_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return *this;
}

// Two's complement multiplies like unsigned numbers, modulo 2^512.
WideInt& WideInt::operator*=(const WideInt& other) {
  std::array<std::uint64_t, 8> product{};
  for (std::size_t i = 0; i < words_.size(); ++i) {
    Wide carry = 0;
    for (std::size_t j = 0; i + j < words_.size(); ++j) {
      carry += Wide{words_[i]} * other.words_[j] + product[i + j];
      product[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  words_ = product;
  return *this;
}

WideInt whole_quotient(const WideInt& a, const WideInt& b) {
  RECMETER_CHECK(!a.is_negative() && b > 0, "a quotient of what is negative, or by nothing");
  const uint512_t quotient = magnitude_of(a) / magnitude_of(b);
  WideInt whole;
  export_bits(quotient, whole.words_.begin(), 64, false);
  return whole;
}

std::strong_ordering operator<=>(const WideInt& a, const WideInt& b) {
  if (a.is_negative() != b.is_negative()) return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
  return std::lexicographical_compare_three_way(a.words_.rbegin(), a.words_.rend(), b.words_.rbegin(), b.words_.rend());
}

// A quotient of at least 64 bits, the rest kept as a sticky last bit: its conversion to double, which keeps 53, rounds as the
// true quotient would.
double rounded_quotient(const WideInt& numerator, const WideInt& denominator, int exponent) {
  RECMETER_CHECK(denominator > 0, "a quotient by nothing");
  if (numerator == 0) return 0;
  const bool negative = numerator < 0;
  uint512_t magnitude = magnitude_of(negative ? -numerator : numerator);
  const uint512_t divisor = magnitude_of(denominator);
  const int shift = std::max(0, 64 - static_cast<int>(msb(magnitude)) + static_cast<int>(msb(divisor)));
  RECMETER_CHECK(static_cast<int>(msb(magnitude)) + shift < 510, "a sum too wide for its quotient");
  magnitude <<= static_cast<unsigned>(shift);
  uint512_t quotient;
  uint512_t rest;
  divide_qr(magnitude, divisor, quotient, rest);
  bool sticky = rest != 0;
  int dropped = 0;
  if (const int width = static_cast<int>(msb(quotient)) + 1; width > 63) {
    dropped = width - 63;
    sticky = sticky || lsb(quotient) < static_cast<unsigned>(dropped);
    quotient >>= static_cast<unsigned>(dropped);
  }
  const std::uint64_t bits = static_cast<std::uint64_t>(quotient) << 1 | static_cast<std::uint64_t>(sticky);
  const double value = std::ldexp(static_cast<double>(bits), exponent + dropped - shift - 1);
  return negative ? -value : value;
}

bool operator==(const Quotient& a, const Quotient& b) {
  if (a.numerator.is_negative() != b.numerator.is_negative()) return false;
  const auto product = [](const WideInt& x, const WideInt& y) {
    return uint1024_t(magnitude_of(x.is_negative() ? -x : x)) * uint1024_t(magnitude_of(y));
  };
  return product(a.numerator, b.denominator) == product(b.numerator, a.denominator);
}

}  // namespace recmeter
