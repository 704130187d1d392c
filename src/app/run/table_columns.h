// Which metrics the first table of a replay shows: one of each kind, at one cutoff, and no two that are equal on every list
// of the log. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

// Numbers of `metrics`, ascending. `longest`: no list is longer; `actions`: what grades come from.
[[nodiscard]] std::vector<std::size_t> table_columns(const MetricPlan& metrics, std::uint32_t cutoff, std::uint32_t longest,
                                                     std::span<const Action> actions);

// The one of these columns by which arms are compared in a sentence: the first mean over lists that actions move.
// `by_order`: the first that looks at the order of a list, as nDCG does, where there is one; arms show the same items.
[[nodiscard]] std::optional<std::size_t> compared_column(const MetricPlan& metrics, std::span<const std::size_t> columns,
                                                         bool by_order = false);

}  // namespace recmeter
