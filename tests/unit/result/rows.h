// Rows to render.
#pragma once

#include "recmeter/result/row.h"

namespace recmeter::test {

// The row of [I4].
[[nodiscard]] Row documented_row();

// A final row of the whole in the first minute of 2026, without metrics.
[[nodiscard]] Row bare_row();

[[nodiscard]] MetricValue with_interval(std::string key, double value, double low, double high);
[[nodiscard]] MetricValue without_interval(std::string key, std::optional<double> value);

}  // namespace recmeter::test
