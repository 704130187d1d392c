// WideInt: an integer of 512 bits, for sums that 128 bits do not hold: squares of ratings, and products of such sums. Exact;
// used per row, not per list. What overflows 512 bits is lost without a word: who multiplies knows how wide its factors are.
//
// Only its body knows a library of wide numbers, whose headers cost every source that sees them seconds.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

class WideInt {
 public:
  constexpr WideInt() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a number
  constexpr WideInt(Int128 value) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] = static_cast<std::uint64_t>(value);
      value >>= 64;
    }
  }

  // Requires: exponent < 511.
  [[nodiscard]] static constexpr WideInt power_of_two(unsigned exponent) {
    WideInt number;
    number.words_[exponent / 64] = std::uint64_t{1} << (exponent % 64);
    return number;
  }

  [[nodiscard]] constexpr bool is_negative() const { return words_.back() >> 63 != 0; }
  // Two's complement, the lowest first.
  [[nodiscard]] constexpr const std::array<std::uint64_t, 8>& words() const { return words_; }

  WideInt& operator+=(const WideInt& other);
  WideInt& operator-=(const WideInt& other);
  WideInt& operator*=(const WideInt& other);
  friend WideInt operator+(WideInt a, const WideInt& b) { return a += b; }
  friend WideInt operator-(WideInt a, const WideInt& b) { return a -= b; }
  friend WideInt operator*(WideInt a, const WideInt& b) { return a *= b; }
  friend WideInt operator-(const WideInt& a) { return WideInt() - a; }
  // a / b, cut. Requires: a >= 0, b > 0.
  friend WideInt whole_quotient(const WideInt& a, const WideInt& b);
  friend bool operator==(const WideInt& a, const WideInt& b) = default;
  friend std::strong_ordering operator<=>(const WideInt& a, const WideInt& b);

 private:
  std::array<std::uint64_t, 8> words_{};
};

// Equal when the cross products are. Requires: denominators > 0.
struct Quotient {
  WideInt numerator;
  WideInt denominator;

  friend bool operator==(const Quotient& a, const Quotient& b);
};

// numerator / denominator * 2^exponent, rounded once, to nearest, ties to even. Requires: denominator > 0, and numerator of
// less than 440 bits.
[[nodiscard]] double rounded_quotient(const WideInt& numerator, const WideInt& denominator, int exponent);

}  // namespace recmeter
