// What stands behind off-policy estimates: how many lists and users carry them, and whether propensities can be right.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/policy_form.h"

namespace recmeter {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool has_weights(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  if (!list.policy) return false;
  return options.of.value_or(Estimator::replay_match) != Estimator::replay_match || is_match(list, k);
}

// Of an estimator's weights.
[[nodiscard]] constexpr MetricDefinition of_weights(MetricDefinition own) {
  own.own_evidence = "a policy";
  own.has_evidence = has_weights;
  own.takes = {MetricOption::estimator, MetricOption::clip};
  own.needs_estimator = true;
  own.pooled = &weight_mean_form;
  return of_policy(own);
}

std::string mean_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::string> terms;
  for_each_weight(*options.of, list, k, options,
                  [&](double, double unclipped) { terms.push_back(four_decimals(unclipped)); });
  return sum_text(terms) + " / " + std::to_string(terms.size());
}

const MetricOptions of_ips{.of = Estimator::ips};
const MetricOptions of_slate{.of = Estimator::slate_ips};

const std::array mean_examples{
    WorkedExample{"AB", 5, "(0.8 + 2 + 1 + 1 + 2.5 + 0.5 + 0.5 + 1) / 8", 1.1625, of_ips},
    WorkedExample{"AB", 5, "(1.6 + 0.625) / 2", 1.1125, of_slate},
};
const std::array lists_examples{
    WorkedExample{"AB", 5, "2 / 8 * 9.3^2 / (0.64 + 4 + 1 + 1 + 6.25 + 0.25 + 0.25 + 1)", 1.5026, of_ips},
    WorkedExample{"AB", 5, "2.225^2 / (2.56 + 0.3906)", 1.6778, of_slate},
};
const std::array users_examples{
    WorkedExample{"AB", 5, "9.3^2 / (4.8^2 + 4.5^2)", 1.9979, of_ips},
};
const std::array share_examples{
    WorkedExample{"AB", 5, "2.5, less than 1.01^93, of 9.3", 0.2713, of_ips},
};
const std::array matches_examples{
    WorkedExample{"ABC", 10, "C alone is the judged policy's", 1},
};

}  // namespace

constinit const MetricDefinition weight_mean_metric = of_weights({
    .name = "weight_mean",
    .low = -infinite,
    .laws = {Law::none_beyond_family},
    .formula = "sum of the estimator's weights / their number",
    .says = "1 but for chance, where propensities are right and the judged policy shows nothing that was never shown. If its "
            "99.9 % interval leaves 1 out, estimates are marked `suspect`.",
    .edges = "Of ips_clipped it is the mean before clipping. Lists with a weight above 1e8 are left out; predictions play no "
             "part.",
    .source = "Bottou et al.: Counterfactual reasoning and learning systems. JMLR 14, 2013, section 4.4",
    .examples = mean_examples,
    .arithmetic = mean_text,
});

constinit const MetricDefinition ess_metric = of_weights({
    .name = "ess",
    .laws = {Law::none_beyond_family},
    .formula = "(sum of w)^2 / sum of w^2, times lists / weights where each rank has a weight",
    .unit = "lists",
    .says = "How many lists the estimate is worth. Below off_policy.min_ess it is refused.",
    .edges = "0 where all weights are 0, null where there is none; null counts as 0 where it refuses. Without interval.",
    .elsewhere = "Over all ranks of all lists, where a tool takes ranks for lists; of lists of one item it is the same.",
    .source = "Kong: A note on importance sampling using standardized weights. University of Chicago, technical report 348, "
              "1992; Owen: Monte Carlo theory, methods and examples, 2013, section 9.3",
    .examples = lists_examples,
    .of_weights = effective_lists,
});

constinit const MetricDefinition ess_users_metric = of_weights({
    .name = "ess_users",
    .weighs = {.users = true},
    .laws = {Law::none_beyond_family},
    .formula = "(sum of W)^2 / sum of W^2, W the sum of a user's weights",
    .unit = "users",
    .says = "How many users the estimate is worth: lists of one user are not independent. Below off_policy.min_ess it is "
            "refused.",
    .edges =
        "0 where all weights are 0, null where there is none. Without interval. Costs an entry for each user of a window.",
    .source = "as ess; users for lists: Kish: Survey Sampling. Wiley 1965, section 11.7",
    .examples = users_examples,
    .of_weights = effective_users,
});

constinit const MetricDefinition max_weight_share_metric = of_weights({
    .name = "max_weight_share",
    .better = Better::lower,
    .weighs = {.largest = true},
    .laws = {Law::none_beyond_family},
    .formula = "the largest weight / the sum of weights, at most 1",
    .says = "How much of the estimate hangs on a single weight. Above off_policy.max_weight_share it is refused.",
    .edges = "Up to 1 % too large: weights are counted in buckets of 1 %, since a maximum cannot be taken back when a window "
             "moves on. Null where all weights are 0. 1 where weights sum to 0 or less, as those of pseudo_inverse can. "
             "Without interval.",
    .source = "Ionides: Truncated importance sampling. J. Computational and Graphical Statistics 17(2), 2008, section 2",
    .examples = share_examples,
    .of_weights = largest_share,
});

constinit const MetricDefinition matches_metric = of_policy({
    .name = "matches",
    .laws = {Law::none_beyond_family},
    .formula = "lists whose ranks 1..min(k, n) the judged policy is sure to show alike",
    .own_evidence = "p = 1 at each of these ranks",
    .unit = "lists",
    .says = "How many lists replay_match is a mean of.",
    .edges = "Without interval.",
    .source = "Li, Chu, Langford, Wang 2011, as replay_match",
    .examples = matches_examples,
    .has_evidence = has_weights,
    .pooled = &weight_mean_form,
    .of_weights = weighed_lists,
});

}  // namespace recmeter
