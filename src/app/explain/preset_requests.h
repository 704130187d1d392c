// The configured metrics as every preset defines them, asked for beside the configured ones, so that a list's explanation
// says what other tools would. Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "app/explain/watched.h"
#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::explain {

// Where a preset's metrics stand among those of the plan.
struct PresetMetric {
  std::string_view preset;
  std::size_t configured = 0;  // index of the metric it stands beside
  std::size_t planned = 0;     // its own
};

// Adds requests to the metrics of `spec`; configured ones stay first. What needs users or a catalogue that are not there is
// not added, nor a preset for whole gains where gains are not.
[[nodiscard]] std::vector<PresetMetric> add_presets(EvaluatorSpec& spec);

// Leaves the configured metrics, each with what presets say.
void attach_presets(std::vector<WatchedMetric>& metrics, const std::vector<PresetMetric>& presets);

}  // namespace recmeter::explain
