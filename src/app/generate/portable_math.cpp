#include "app/generate/portable_math.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace recmeter::generate {

namespace {

// ln 2 in two parts: n * high is exact for |n| < 2^20.
constexpr double ln2_high = 6.93147180369123816490e-01;
constexpr double ln2_low = 1.90821492927058770002e-10;
constexpr double sqrt_2 = 1.4142135623730951;
constexpr int exponent_bias = 1023;
constexpr int mantissa_bits = 52;

}  // namespace

double portable_log(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> mantissa_bits) - exponent_bias;
  const std::uint64_t one = std::uint64_t{exponent_bias} << mantissa_bits;
  double m = std::bit_cast<double>((bits & ((std::uint64_t{1} << mantissa_bits) - 1)) | one);
  if (m > sqrt_2) {
    m *= 0.5;
    ++exponent;
  }
  // ln m = 2 artanh(s), |s| <= 0.172: eleven terms leave less than 1e-17.
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 0;
  for (int term = 21; term >= 1; term -= 2) series = series * s2 + 1.0 / term;
  return exponent * ln2_high + (exponent * ln2_low + 2.0 * s * series);
}

double portable_exp(double x) noexcept {
  const double n = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double r = (x - n * ln2_high) - n * ln2_low;  // |r| <= 0.347
  double series = 1.0;
  for (int term = 14; term >= 1; --term) series = 1.0 + series * r / term;
  const auto power = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + exponent_bias) << mantissa_bits;
  return series * std::bit_cast<double>(power);
}

}  // namespace recmeter::generate
