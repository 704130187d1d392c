// PolicyForm: an off-policy estimate as a mean of sums over lists. First come the columns of its weights, by which it is
// refused (metric/weight_facts.h), then the sum of what lists are worth.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metric/policy_weights.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

// The rewards of the first k ranks; ranks without one have 0.
[[nodiscard]] inline std::vector<double> rewards_of(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<double> rewards(policy_ranks(list, k), 0);
  const bool are_alike = options.off_policy.reward == OffPolicySpec::Reward::hits;
  for (const Hit& hit : list.hits) {
    if (hit.rank <= rewards.size()) rewards[hit.rank - 1] = are_alike ? 1 : hit.grade;
  }
  return rewards;
}

// What a list adds: products of a weight and a reward, each rounded once to 2^-32.
class PolicyTerms {
 public:
  static constexpr double term_max = 0x1p59;

  void add(double weight, double reward) { add_term(weight, weight * reward); }
  // A term that a weight is part of.
  void add_term(double weight, double term) {
    in_range_ = in_range_ && std::abs(weight) <= weight_max && std::abs(term) <= term_max;
    if (in_range_) sum_ += to_q32_wide(term);
  }
  // Nothing: a weight or a term is no number to reckon with.
  [[nodiscard]] std::optional<Int128> sum() const { return in_range_ ? std::optional(sum_) : std::nullopt; }

 private:
  Int128 sum_ = 0;
  bool in_range_ = true;
};

// Whether sums are of all their lists: none was out of range, or lacks predictions.
[[nodiscard]] inline bool are_of_all_lists(const ColumnSums& sums) {
  return sums.columns[WeightColumn::out_of_range] == 0 && sums.columns[WeightColumn::unpredicted] == 0;
}

[[nodiscard]] inline bool has_policy(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  return list.policy.has_value();
}

// terms(list, rewards, k, options, to): what the list is worth.
template <Estimator estimator,
          void (*terms)(const ScoredList&, std::span<const double>, std::uint32_t, const MetricOptions&, PolicyTerms&)>
struct PolicyForm {
  static constexpr std::size_t width = 4;  // 2^31 lists of 2^111

  static void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    if (!add_weights_in_range(estimator, list, k, options, columns.first(weight_columns))) return;
    if (estimator == Estimator::dr && list.policy->predicted.size() < list.length) {
      ++columns[WeightColumn::unpredicted];
      return;
    }
    PolicyTerms of_list;
    terms(list, rewards_of(list, k, options), k, options, of_list);
    if (const std::optional<Int128> sum = of_list.sum()) {
      add_wide(columns.subspan(weight_columns, width), *sum);
    } else {
      ++columns[WeightColumn::out_of_range];
    }
  }
  static std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
    if (sums.lists == 0 || !are_of_all_lists(sums)) return std::nullopt;
    return rounded_quotient(worth(sums), WideInt(Int128{sums.lists}), -q32_fraction_bits);
  }
  static Quotient exact(const ColumnSums& sums) { return {worth(sums), WideInt(Int128{sums.lists})}; }
  static WideInt worth(const ColumnSums& sums) { return wide_sum<WideInt>(sums.columns.subspan(weight_columns, width)); }

  [[nodiscard]] static constexpr PooledForm form(double low) {
    return {.columns = weight_columns + width,
            .moved_by = MovedBy::policy,
            .add = add,
            .value = value,
            .exact = exact,
            .low = low,
            .high = std::numeric_limits<double>::infinity()};
  }
};

// What all estimates have in common: their lists are those with a policy, unless the estimator says which.
[[nodiscard]] constexpr MetricDefinition of_policy(MetricDefinition own) {
  own.family = Family::pooled;
  own.evidence = Evidence::own;
  own.over = Over::relevant;
  own.moved_by = MovedBy::policy;
  own.needs = {ListPart::policy};
  own.high = std::numeric_limits<double>::infinity();
  // Asked by its words: to UBSan no comparison of a function's address is a constant.
  if (!own.own_evidence.empty()) return own;
  own.own_evidence = "a policy";
  own.has_evidence = has_policy;
  return own;
}

}  // namespace recmeter
