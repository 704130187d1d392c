// What the configuration has to say so that an estimator has a meaning, with nothing refused.
#pragma once

#include "recmeter/metric/definition.h"

namespace recmeter::support {

[[nodiscard]] inline OffPolicySpec off_policy_of(Estimator estimator) {
  using Spec = OffPolicySpec;
  const bool is_prefix = estimator == Estimator::rips || estimator == Estimator::slate_ips;
  return {.propensities = is_prefix ? Spec::Propensities::conditional : Spec::Propensities::marginal,
          .logging = estimator == Estimator::replay_match ? Spec::Logging::uniform : Spec::Logging::factored,
          .min_ess = 0,
          .max_weight_share = 1};
}

// Of a metric of weights it is ips whose weights are asked for.
[[nodiscard]] inline Estimator usual_estimator(const MetricDefinition& metric) {
  return weighed_by(metric, metric.needs_estimator ? MetricOptions{.of = Estimator::ips} : MetricOptions{});
}

}  // namespace recmeter::support
