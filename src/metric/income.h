// What one list brings in: `income` of lists and of users is made of it.
#pragma once

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// At most 2^59, so that sums of 2^31 lists fit. `list` is graded by value.
[[nodiscard]] double income_of_list(const ScoredList& list, const MetricOptions& options);

}  // namespace recmeter
