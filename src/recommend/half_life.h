// half_life_weight: 2^(-age / half_life), the same bits on every machine: libraries' exp2 differ by processor.
#pragma once

#include <cmath>

#include "recmeter/base/event_time.h"

namespace recmeter {

// 2^-x for x >= 0: 2 to the whole part exactly, and a Taylor series of 20 terms for the rest, whose error is below an ulp.
[[nodiscard]] inline double exp2_negative(double x) {
  const double whole = std::floor(x);
  if (whole > 1100) return 0;
  const double rest = (x - whole) * -0.6931471805599453;
  double term = 1;
  double sum = 1;
  for (int n = 1; n <= 20; ++n) {
    term = term * rest / n;
    sum += term;
  }
  return std::ldexp(sum, -static_cast<int>(whole));
}

// Requires: age >= 0. A half-life of 0 is none: the weight stays 1.
[[nodiscard]] inline double half_life_weight(Duration age, Duration half_life) {
  if (half_life.ms == 0) return 1;
  return exp2_negative(static_cast<double>(age.ms) / static_cast<double>(half_life.ms));
}

}  // namespace recmeter
