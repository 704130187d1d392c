// Which metrics the first table of a replay shows: one of each kind, at one cutoff, and no two that are equal on every list
// of the log. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/evaluation/list_tally.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

inline constexpr std::uint32_t table_cutoff_max = 10;  // ranks beyond are hardly looked at

// The largest of `cutoffs` that half of the lists reach, at most table_cutoff_max; the smallest where they reach none.
[[nodiscard]] std::uint32_t table_cutoff(std::span<const std::uint32_t> cutoffs, const ListTally& lists);

// Numbers of `metrics`, ascending. `longest`: no list is longer; `actions`: what grades come from.
[[nodiscard]] std::vector<std::size_t> table_columns(const MetricPlan& metrics, std::uint32_t cutoff, std::uint32_t longest,
                                                     std::span<const Action> actions);

// Tells whether it has a mean over lists, by which arms are compared.
[[nodiscard]] bool is_mean_over_lists(const PlannedMetric& metric);

}  // namespace recmeter
