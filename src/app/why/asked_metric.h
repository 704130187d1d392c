// AskedMetric: the evaluator of a configuration, of one metric alone, with what its parts by rank and item group need: a run
// of it is shorter, and says the same of that metric. [S1.6].
#pragma once

#include <string>

#include "app/why/metric_rule.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::why {

struct AskedMetric {
  EvaluatorSpec spec;
  MetricRule rule;
};

// `window`: the only one that is wanted, "": all. Errors: config_invalid: there is no such metric or window, or it is no mean
// over lists.
[[nodiscard]] Result<AskedMetric> asked_metric(const EvaluatorSpec& spec, const std::string& key, const std::string& window);

// The same of rows that were read. Errors: config_invalid.
[[nodiscard]] Result<MetricRule> rule_of_key(const std::string& key);
// The same of a metric that is planned, as a mean over lists.
[[nodiscard]] MetricRule rule_of(const EvaluatorSpec& spec, const PlannedMetric& metric);

}  // namespace recmeter::why
