// ScaledDifference: how far apart two arms are on one scale, and what that says. [S10.23] to [S10.27].
//
// Pure functions; any thread.
#pragma once

#include <limits>

#include "experiment/slot_effects.h"
#include "recmeter/experiment/comparison.h"

namespace recmeter {

inline constexpr double z_of_80_percent = 0.8416212335729143;  // the power that changes are said to be found with

struct Scale {
  bool is_relative = false;
  double end = std::numeric_limits<double>::infinity();  // absolute: no difference lies beyond it
};

struct ScaledDifference {
  double y = 0;
  Spread spread;
  Scale scale;
};

// Decides how far intervals reach.
struct Clock {
  double r = 0;              // tau^2 / v, or what stands in its place
  bool is_cautious = false;  // a few users decide it: of the last look
};

[[nodiscard]] Distance distance_of(const ScaledDifference& at, const ComparisonRule& rule, const Clock& clock);
[[nodiscard]] TestStatistic evidence_of(const ScaledDifference& at, const ComparisonRule& rule, const Clock& clock);

}  // namespace recmeter
