// What one list brings in: `income` of lists and of users is made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

inline constexpr std::size_t income_width = 3;  // columns of a sum of 2^31 lists

// At most 2^59. `list` is graded by value.
[[nodiscard]] double income_of_list(const ScoredList& list, const MetricOptions& options);
// Of the same list without a `cap`, which adds to the columns behind those of the metric.
void add_uncut(const ScoredList& list, const MetricOptions& options, std::span<std::int64_t> columns);

}  // namespace recmeter
