// AskedMetric: the evaluator of a configuration, of one metric alone and what its parts by rank need: a run of it is shorter,
// and says the same of that metric. [S1.6].
#pragma once

#include <optional>
#include <string>

#include "app/why/kept_means.h"
#include "recmeter/attribution/attribution.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::why {

struct AskedMetric {
  EvaluatorSpec spec;
  AttributionRule rule;
  std::optional<RankSource> ranks;  // empty: it has no parts by rank
};

// `window`: the only one that is wanted, "": all. Errors: config_invalid: there is no such metric or window, or it is no mean
// over lists.
[[nodiscard]] Result<AskedMetric> asked_metric(const EvaluatorSpec& spec, const std::string& key, const std::string& window);

// The same of rows that were read. Errors: config_invalid.
[[nodiscard]] Result<AttributionRule> rule_of_key(const std::string& key);

}  // namespace recmeter::why
