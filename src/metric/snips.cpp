#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/policy_form.h"

namespace recmeter {

namespace {

// Behind the columns of the weights, of each rank: lists that have it; the sum of w * reward; of w.
constexpr std::size_t worth_width = 4;
constexpr std::size_t sum_width = 3;
constexpr std::size_t rank_columns = 1 + worth_width + sum_width;

void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
  if (!add_weights_in_range(Estimator::snips, list, k, options, columns.first(weight_columns))) return;
  const std::vector<double> rewards = rewards_of(list, k, options);
  PolicyTerms all;
  for (std::uint32_t at = 0; at < rewards.size(); ++at) all.add(rank_weight(*list.policy, at), rewards[at]);
  if (!all.sum()) {
    ++columns[WeightColumn::out_of_range];
    return;
  }
  for (std::uint32_t at = 0; at < rewards.size(); ++at) {
    const double weight = rank_weight(*list.policy, at);
    const auto of_rank = columns.subspan(weight_columns + at * rank_columns, rank_columns);
    ++of_rank[0];
    add_wide(of_rank.subspan(1, worth_width), to_q32_wide(weight * rewards[at]));
    add_wide(of_rank.subspan(1 + worth_width, sum_width), to_q32_wide(weight));
  }
}

// visit(lists, sum of w * reward, sum of w) of each rank that some list has.
template <class Visit>
void for_each_rank(const ColumnSums& sums, Visit&& visit) {
  for (std::size_t at = weight_columns; at < sums.columns.size(); at += rank_columns) {
    const auto of_rank = sums.columns.subspan(at, rank_columns);
    if (of_rank[0] == 0) continue;
    visit(of_rank[0], wide_sum<WideInt>(of_rank.subspan(1, worth_width)),
          wide_sum<WideInt>(of_rank.subspan(1 + worth_width, sum_width)));
  }
}

std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.lists == 0) return std::nullopt;
  bool is_defined = are_of_all_lists(sums);
  double total = 0;
  for_each_rank(sums, [&](Int128 lists, const WideInt& worth, const WideInt& weights) {
    is_defined = is_defined && weights > WideInt(0);
    if (is_defined) total += rounded_quotient(worth * WideInt(lists), weights * WideInt(Int128{sums.lists}), 0);
  });
  return is_defined ? std::optional(total) : std::nullopt;
}

// Quotients of many ranks have no common denominator in 512 bits: each is cut at 2^-200, and the sum at 2^-180.
Quotient exact(const ColumnSums& sums) {
  const WideInt fine = WideInt::power_of_two(200);
  WideInt total = WideInt::power_of_two(19);
  for_each_rank(sums, [&](Int128 lists, const WideInt& worth, const WideInt& weights) {
    total += whole_quotient(worth * WideInt(lists) * fine, weights * WideInt(Int128{sums.lists}));
  });
  return {whole_quotient(total, WideInt::power_of_two(20)), WideInt::power_of_two(180)};
}

constexpr PooledForm form{.columns = weight_columns,
                          .columns_per_rank = rank_columns,
                          .moved_by = MovedBy::policy,
                          .add = add,
                          .value = value,
                          .exact = exact,
                          .low = 0,
                          .high = std::numeric_limits<double>::infinity()};

// Of one list its rewards, where it weighs anything.
std::string text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::string> terms;
  for (const double reward : rewards_of(list, k, options)) {
    if (reward != 0) terms.push_back(four_decimals(reward));
  }
  return sum_text(terms) + ": of one list the weights cancel";
}

const std::array examples{
    WorkedExample{.lists = "AB",
                  .cutoff = 5,
                  .arithmetic = "(0.8 * 1 + 2.5 * 1) / (0.8 + 2.5) + (1 * 1 + 0.5 * 3) / (1 + 0.5)",
                  .value = 2.6667},
};

}  // namespace

constinit const MetricDefinition snips_metric = of_policy({
    .name = "snips",
    .estimator = Estimator::snips,
    .laws = {Law::none_beyond_family},
    .formula = "sum over ranks i = 1..k of (n_i / n) * (sum over lists of p / propensity * reward at i) / (sum of p / "
               "propensity at i), n_i of n lists having rank i",
    .says = "ips with weights that sum to the number of lists: a little off with few lists, and far steadier. The first to "
            "look at.",
    .edges = "Null where all weights at some rank are 0. The interval is that of the whole quotient.",
    .elsewhere =
        "Open Bandit Pipeline's SelfNormalizedInverseProbabilityWeighting; its interval, as that of other tools, takes "
        "the sum of weights for a constant.",
    .source = "Swaminathan, Joachims: The self-normalized estimator for counterfactual learning. NIPS 2015, section 4",
    .examples = examples,
    .arithmetic = text,
    .pooled = &form,
});

}  // namespace recmeter
