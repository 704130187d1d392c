// What a list weighs for an estimator: which of the quotients p / propensity of its first k ranks are multiplied.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/metric/weight_facts.h"

namespace recmeter {

// The ranks that count.
[[nodiscard]] inline std::uint32_t policy_ranks(const ScoredList& list, std::uint32_t k) {
  return std::min(k, list.length);
}
// Of the rank `at`, from 0.
[[nodiscard]] inline double rank_weight(const ListPolicy& policy, std::uint32_t at) {
  return policy.target[at] / policy.logged[at];
}

// Whether the judged policy is sure to show the first k ranks as they are.
[[nodiscard]] inline bool is_match(const ScoredList& list, std::uint32_t k) {
  const auto target = list.policy->target.first(policy_ranks(list, k));
  return std::all_of(target.begin(), target.end(), [](double p) { return p == 1; });
}

// visit(weight, the same before it is clipped): one for each rank, or one of the list.
template <class Visit>
void for_each_weight(Estimator estimator, const ScoredList& list, std::uint32_t k, const MetricOptions& options,
                     Visit&& visit) {
  const std::uint32_t ranks = policy_ranks(list, k);
  double product = 1;
  double sum = 1;
  for (std::uint32_t at = 0; at < ranks; ++at) {
    const double weight = rank_weight(*list.policy, at);
    product *= weight;
    sum += weight - 1;
    switch (estimator) {
      case Estimator::ips:
      case Estimator::snips:
      case Estimator::dr: visit(weight, weight); break;
      case Estimator::ips_clipped: visit(std::min(weight, options.clip), weight); break;
      default: break;
    }
  }
  switch (estimator) {
    case Estimator::rips:
    case Estimator::slate_ips: return visit(product, product);
    case Estimator::pseudo_inverse: return visit(sum, sum);
    case Estimator::replay_match: return visit(1.0, 1.0);
    default: return;
  }
}

// Whether all that is multiplied is a number to reckon with.
[[nodiscard]] bool weights_in_range(Estimator estimator, const ScoredList& list, std::uint32_t k);

// Adds a list to weight_columns columns: its weights, whatever else of the list an estimate lacks, so that an estimate and
// the metrics of its weights have the same ones. False: its weights are out of range, and it is counted as that.
bool add_weights_in_range(Estimator estimator, const ScoredList& list, std::uint32_t k, const MetricOptions& options,
                          std::span<std::int64_t> columns);

// Where the columns stand.
struct WeightColumn {
  static constexpr std::size_t lists = 0, weights = 1, out_of_range = 2, unpredicted = 3, sum = 4, squares = 7,
                               unclipped = 11;
  static constexpr std::size_t sum_width = 3, squares_width = 4;
};

}  // namespace recmeter
