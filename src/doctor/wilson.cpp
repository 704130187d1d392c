#include "doctor/wilson.h"

#include <cmath>

namespace recmeter::doctor {

Interval wilson(std::uint64_t cases, std::uint64_t of, double z) {
  if (of == 0) return {};
  const double n = static_cast<double>(of);
  const double p = static_cast<double>(cases) / n;
  const double middle = p + z * z / (2 * n);
  const double reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {cases == 0 ? 0 : (middle - reach) / scale, cases == of ? 1 : (middle + reach) / scale};
}

Sureness above(std::uint64_t cases, std::uint64_t of, double threshold) {
  if (of < records_min || cases < cases_min) return Sureness::silent;
  const double low = wilson(cases, of).low;
  if (low <= threshold) return Sureness::silent;
  return low > (threshold < 0.5 ? 2 * threshold : (1 + threshold) / 2) ? Sureness::certain : Sureness::likely;
}

Sureness below(std::uint64_t cases, std::uint64_t of, double threshold, std::uint64_t of_min, double z) {
  if (of < of_min) return Sureness::silent;
  const double high = wilson(cases, of, z).high;
  if (high >= threshold) return Sureness::silent;
  return high < threshold / 2 ? Sureness::certain : Sureness::likely;
}

}  // namespace recmeter::doctor
