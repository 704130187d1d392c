#include "recmeter/base/exact_sum.h"

#include <bit>
#include <cmath>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

__extension__ typedef unsigned __int128 UInt128;

int bit_width(UInt128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(x)));
}

// magnitude / denominator * 2^exponent, rounded once. The quotient is taken with at least 62 bits, the rest is kept as a
// sticky last bit, so the conversion to double, which keeps 53, rounds exactly as the true quotient would.
double rounded_quotient(UInt128 magnitude, std::uint64_t denominator, int exponent) {
  // Integers that doubles hold: their division rounds as it should by itself.
  constexpr std::uint64_t held = std::uint64_t{1} << 53;
  if (magnitude <= held && denominator <= held) {
    const double quotient = static_cast<double>(static_cast<std::uint64_t>(magnitude)) / static_cast<double>(denominator);
    return exponent == 0 ? quotient : std::ldexp(quotient, exponent);
  }
  const int shift = 127 - bit_width(magnitude);
  magnitude <<= shift;
  UInt128 quotient = magnitude / denominator;
  bool sticky = magnitude % denominator != 0;
  int dropped = 0;
  if (const int width = bit_width(quotient); width > 63) {
    dropped = width - 63;
    sticky = sticky || (quotient & ((UInt128{1} << dropped) - 1)) != 0;
    quotient >>= dropped;
  }
  const auto bits = static_cast<std::uint64_t>(quotient) << 1 | static_cast<std::uint64_t>(sticky);
  return std::ldexp(static_cast<double>(bits), exponent + dropped - shift - 1);
}

}  // namespace

std::int64_t to_q32(double value) noexcept {
  RECMETER_CHECK(std::fabs(value) < 0x1p30, "a per-list value out of range");
  // Where doubles are a unit apart, adding is rounding: nearbyint() would be a call.
  constexpr double units = 0x1.8p52;
  const double scaled = value * 0x1p32;
  if (std::fabs(scaled) < 0x1p51) return static_cast<std::int64_t>((scaled + units) - units);
  return static_cast<std::int64_t>(std::nearbyint(scaled));
}

Int128 to_q32_wide(double value) noexcept {
  RECMETER_CHECK(std::fabs(value) < 0x1p60, "a value to be summed is out of range");
  return static_cast<Int128>(std::nearbyint(value * 0x1p32));
}

double mean_of_q32(Int128 sum, std::uint64_t count) noexcept {
  RECMETER_CHECK(count > 0, "the mean of nothing");
  const bool negative = sum < 0;
  const auto magnitude = static_cast<UInt128>(negative ? -sum : sum);
  const double mean = rounded_quotient(magnitude, count, -q32_fraction_bits);
  return negative ? -mean : mean;
}

double share_of(std::uint64_t numerator, std::uint64_t denominator) noexcept {
  RECMETER_CHECK(denominator > 0, "a share of nothing");
  return rounded_quotient(numerator, denominator, 0);
}

}  // namespace recmeter
