// Which metrics are means over lists, whose sums can be added and taken apart. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "recmeter/metric/definition.h"

namespace recmeter {

struct PlannedMetric;

[[nodiscard]] bool is_mean_over_lists(const PlannedMetric& metric);

// The metric behind a key of a row. Null: the key is a name that its configuration gave.
[[nodiscard]] const MetricDefinition* metric_of_key(std::string_view key);
// The same, if it is a mean over lists; else null.
[[nodiscard]] const MetricDefinition* mean_over_lists(std::string_view key);
// "precision@10": 10. 0: the key has none.
[[nodiscard]] std::uint32_t cutoff_of_key(std::string_view key);

}  // namespace recmeter
