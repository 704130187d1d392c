#include "recmeter/evaluation/evaluator_spec.h"

#include <algorithm>

#include "recmeter/metric/registry.h"

namespace recmeter {

OptionalFields fields_read(const EvaluatorSpec& spec) {
  const auto is_of_latency = [](const MetricRequest& request) {
    const MetricDefinition* const metric = find_metric(request.name);
    return metric != nullptr && metric->needs.has(ListPart::latency);
  };
  const auto drafts = [](const ExperimentSpec& experiment) { return experiment.draft.has_value(); };
  return {.teams = std::ranges::any_of(spec.experiments, drafts),
          .latency_ms = std::ranges::any_of(spec.metrics.requests, is_of_latency)};
}

}  // namespace recmeter
