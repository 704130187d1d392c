#include "recmeter/metric/off_policy.h"

namespace recmeter {

std::optional<EstimatorRefusal> refusal_of(Estimator estimator, const OffPolicySpec& spec) {
  using Propensities = OffPolicySpec::Propensities;
  using Logging = OffPolicySpec::Logging;
  switch (estimator) {
    case Estimator::ips:
    case Estimator::ips_clipped:
    case Estimator::snips:
    case Estimator::dr:
      if (spec.propensities == Propensities::marginal) return std::nullopt;
      return EstimatorRefusal{"weighs each rank alone, and conditional propensities depend on the ranks above",
                              "set off_policy.propensities to marginal if they are, as those of lists of one item"};
    case Estimator::rips:
    case Estimator::slate_ips:
      if (spec.propensities == Propensities::conditional) return std::nullopt;
      return EstimatorRefusal{"needs more: marginal propensities do not determine the probability of a prefix",
                              "set off_policy.propensities to conditional if they are"};
    case Estimator::pseudo_inverse:
      if (spec.logging == Logging::factored) return std::nullopt;
      return EstimatorRefusal{"holds only where each rank was drawn for itself",
                              "set off_policy.logging to factored if they were"};
    case Estimator::replay_match:
      if (spec.logging == Logging::uniform) return std::nullopt;
      return EstimatorRefusal{"holds only where all lists were equally likely",
                              "set off_policy.logging to uniform if they were"};
  }
  return std::nullopt;
}

}  // namespace recmeter
