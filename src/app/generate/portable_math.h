// Exponential and logarithm from +, -, *, / alone, so that one seed gives the same bytes on every machine: the C library's
// own differ in the last bit between versions, and one bit can turn a draw.
//
// Thread safety: pure functions. Relative error below 4e-16 (exp: for |x| <= 700). Not for speed or for special values.
#pragma once

namespace recmeter::generate {

// Requires: x > 0, finite and normal.
[[nodiscard]] double portable_log(double x) noexcept;

// Requires: |x| <= 700.
[[nodiscard]] double portable_exp(double x) noexcept;

// Requires: base > 0, result in range.
[[nodiscard]] inline double portable_pow(double base, double exponent) noexcept {
  return portable_exp(exponent * portable_log(base));
}

}  // namespace recmeter::generate
