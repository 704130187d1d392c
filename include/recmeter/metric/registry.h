// The metrics there are, in the order in which documentation lists them.
#pragma once

#include <span>
#include <string_view>

#include "recmeter/metric/definition.h"

namespace recmeter {

[[nodiscard]] std::span<const MetricDefinition* const> all_metrics() noexcept;

// nullptr when there is no metric of that name.
[[nodiscard]] const MetricDefinition* find_metric(std::string_view name) noexcept;

}  // namespace recmeter
