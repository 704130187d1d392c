// Exact parts: doubles that should add up to a whole, as multiples of one unit that do so to the last bit, in any order.
// [S16.2].
//
// The rest of rounding goes, a unit each, to the largest remainders (Hamilton's method of apportionment; Balinski, Young
// 1982, Fair Representation). Pure functions; any thread.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "recmeter/metric/estimate.h"

namespace recmeter {

inline constexpr double part_unit_bounded = 0x1p-40;
inline constexpr double part_unit_unbounded = 0x1p-20;  // of a metric whose values have no upper bound

[[nodiscard]] constexpr double part_unit(ValueRange range) {
  return range.high < std::numeric_limits<double>::infinity() ? part_unit_bounded : part_unit_unbounded;
}

struct ExactParts {
  double whole = 0;
  std::vector<double> parts = {};  // in the order of what was given
};

// Multiples of `unit`, a power of two. Requires: finite numbers below 2^52 units.
[[nodiscard]] ExactParts exact_parts(std::span<const double> parts, double whole, double unit);

}  // namespace recmeter
