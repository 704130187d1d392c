// Few events: arms of which one shows too little to know its own variance by. It then has the larger of the variance that it
// shows, the one that it would have if the arms were alike, and that of five events; where no arm shows what an event is, of
// five of its users. [S10.26], [S10.34].
//
// Pure functions; any thread.
#pragma once

#include "experiment/arm_sums.h"
#include "experiment/scaled_difference.h"
#include "recmeter/base/result.h"
#include "recmeter/experiment/comparison.h"

namespace recmeter {

inline constexpr double few_events_r = 8;  // in place of tau^2 / v: the mde plays no part

// Always absolute, without CUPED. Errors: why nothing can be said.
[[nodiscard]] tl::expected<ScaledDifference, Missing> difference_of_few(const ArmSums& control, const ArmSums& arm,
                                                                        const ComparisonRule& rule);

// The spread of a team draft. Requires: lists in two slots.
[[nodiscard]] Spread spread_of_few(const ArmSums& preference);

}  // namespace recmeter
