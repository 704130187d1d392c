// What is known of metrics, from their definitions, as text, JSON and the generated part of docs/metrics.md.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>

#include "recmeter/metric/definition.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

// One line a metric, lines of at most `width` columns, 0: any.
[[nodiscard]] std::string metrics_table(std::size_t width);
// Lines of at most `width` columns, and never of more than 100; 0: those.
[[nodiscard]] std::string metric_text(const MetricDefinition& metric, std::size_t width);
// One object; all of them in an array. With a newline at the end.
[[nodiscard]] std::string metric_json(const MetricDefinition& metric);
[[nodiscard]] std::string metrics_json();
// The members of that object.
void write_members(JsonWriter& json, const MetricDefinition& metric);
// What stands in docs/metrics.md between its two marks, without them.
[[nodiscard]] std::string metrics_markdown();

// "precision@5", "precision@5{precision_denominator=shown}".
[[nodiscard]] std::string example_name(const MetricDefinition& metric, std::uint32_t cutoff, const MetricOptions& options);

}  // namespace recmeter
