// Off-policy estimates that are means over lists: what lists would have been worth, had another policy made them.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/policy_form.h"

namespace recmeter {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using Rewards = std::span<const double>;

void ips_terms(const ScoredList& list, Rewards rewards, std::uint32_t, const MetricOptions&, PolicyTerms& to) {
  for (std::uint32_t at = 0; at < rewards.size(); ++at) to.add(rank_weight(*list.policy, at), rewards[at]);
}

void clipped_terms(const ScoredList& list, Rewards rewards, std::uint32_t, const MetricOptions& options, PolicyTerms& to) {
  for (std::uint32_t at = 0; at < rewards.size(); ++at) {
    to.add(std::min(rank_weight(*list.policy, at), options.clip), rewards[at]);
  }
}

void dr_terms(const ScoredList& list, Rewards rewards, std::uint32_t, const MetricOptions&, PolicyTerms& to) {
  for (std::uint32_t at = 0; at < rewards.size(); ++at) {
    const double weight = rank_weight(*list.policy, at);
    to.add_term(weight, list.policy->expected[at] + weight * (rewards[at] - list.policy->predicted[at]));
  }
}

void rips_terms(const ScoredList& list, Rewards rewards, std::uint32_t, const MetricOptions&, PolicyTerms& to) {
  double product = 1;
  for (std::uint32_t at = 0; at < rewards.size(); ++at) to.add(product *= rank_weight(*list.policy, at), rewards[at]);
}

double sum_of(Rewards rewards) {
  double sum = 0;
  for (const double reward : rewards) sum += reward;
  return sum;
}

// One weight of the list, and all it brought.
template <Estimator estimator>
void list_terms(const ScoredList& list, Rewards rewards, std::uint32_t k, const MetricOptions& options, PolicyTerms& to) {
  for_each_weight(estimator, list, k, options, [&](double weight, double) { to.add(weight, sum_of(rewards)); });
}

bool matches(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  return list.policy.has_value() && is_match(list, k);
}

// "0.8 * 1 + 2 * 3": of ranks with a reward.
template <class Weight>
std::string products_text(Rewards rewards, Weight&& weight_at) {
  std::vector<std::string> terms;
  for (std::uint32_t at = 0; at < rewards.size(); ++at) {
    const double weight = weight_at(at);
    if (rewards[at] != 0) terms.push_back(four_decimals(weight) + " * " + four_decimals(rewards[at]));
  }
  return sum_text(terms);
}
std::string ips_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return products_text(rewards_of(list, k, options), [&](std::uint32_t at) { return rank_weight(*list.policy, at); });
}
std::string clipped_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return products_text(rewards_of(list, k, options),
                       [&](std::uint32_t at) { return std::min(rank_weight(*list.policy, at), options.clip); });
}
std::string dr_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const std::vector<double> rewards = rewards_of(list, k, options);
  std::vector<std::string> terms;
  for (std::uint32_t at = 0; at < rewards.size(); ++at) {
    terms.push_back(four_decimals(list.policy->expected[at]) + " + " + four_decimals(rank_weight(*list.policy, at)) + " * (" +
                    four_decimals(rewards[at]) + " - " + four_decimals(list.policy->predicted[at]) + ")");
  }
  return sum_text(terms);
}
std::string rips_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  double product = 1;
  return products_text(rewards_of(list, k, options),
                       [&](std::uint32_t at) { return product *= rank_weight(*list.policy, at); });
}
template <Estimator estimator>
std::string list_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::string text;
  for_each_weight(estimator, list, k, options, [&](double weight, double) {
    text = four_decimals(weight) + " * " + four_decimals(sum_of(rewards_of(list, k, options)));
  });
  return text;
}

constexpr PooledForm ips_form = PolicyForm<Estimator::ips, ips_terms>::form(0);
constexpr PooledForm clipped_form = PolicyForm<Estimator::ips_clipped, clipped_terms>::form(0);
constexpr PooledForm dr_form = PolicyForm<Estimator::dr, dr_terms>::form(-infinite);
constexpr PooledForm rips_form = PolicyForm<Estimator::rips, rips_terms>::form(0);
constexpr PooledForm slate_form = PolicyForm<Estimator::slate_ips, list_terms<Estimator::slate_ips>>::form(0);
constexpr PooledForm pseudo_form =
    PolicyForm<Estimator::pseudo_inverse, list_terms<Estimator::pseudo_inverse>>::form(-infinite);
constexpr PooledForm replay_form = PolicyForm<Estimator::replay_match, list_terms<Estimator::replay_match>>::form(0);

const std::array ips_examples{
    WorkedExample{.lists = "A", .cutoff = 5, .arithmetic = "0.8 * 1 + 1 * 1", .value = 1.8},
    WorkedExample{.lists = "AB", .cutoff = 5, .arithmetic = "((0.8 * 1 + 1 * 1) + (2.5 * 1 + 0.5 * 3)) / 2", .value = 2.9},
};
const std::array clipped_examples{
    WorkedExample{.lists = "AB",
                  .cutoff = 5,
                  .arithmetic = "((0.8 * 1 + 1 * 1) + (2 * 1 + 0.5 * 3)) / 2",
                  .value = 2.65,
                  .options = {.clip = 2}},
};
const std::array dr_examples{
    WorkedExample{.lists = "A", .cutoff = 1, .arithmetic = "0.4 + 0.8 * (1 - 0.5)", .value = 0.8},
    WorkedExample{.lists = "AB", .cutoff = 5, .arithmetic = "(1.7 + 3.45) / 2", .value = 2.575},
};
const std::array rips_examples{
    WorkedExample{.lists = "AB",
                  .cutoff = 5,
                  .arithmetic = "((0.8 * 1 + 0.8 * 2 * 1 * 1) + (2.5 * 1 + 2.5 * 0.5 * 0.5 * 3)) / 2",
                  .value = 3.3875},
};
const std::array slate_examples{
    WorkedExample{.lists = "AB", .cutoff = 5, .arithmetic = "(1.6 * (1 + 1) + 0.625 * (1 + 3)) / 2", .value = 2.85},
};
const std::array pseudo_examples{
    WorkedExample{.lists = "AB",
                  .cutoff = 5,
                  .arithmetic = "((1 - 0.2 + 1 + 0 + 0) * 2 + (1 + 1.5 - 0.5 - 0.5 + 0) * 4) / 2",
                  .value = 4.8},
};
const std::array replay_examples{
    WorkedExample{.lists = "ABC", .cutoff = 10, .arithmetic = "C alone is the judged policy's: 1 / 1", .value = 1},
};

}  // namespace

constinit const MetricDefinition ips_metric = of_policy({
    .name = "ips",
    .estimator = Estimator::ips,
    .laws = {Law::none_beyond_family},
    .formula = "sum over ranks 1..min(k, n) of p / propensity * reward",
    .says = "What lists of the judged policy would be worth if what stands at one rank did not change what people do at "
            "another. Right on average, and far off where propensities are small.",
    .edges = "Lists without a policy, or with a rank without propensity, are left out of the mean.",
    .elsewhere = "Open Bandit Pipeline's InverseProbabilityWeighting, of lists of one item.",
    .source = "Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay, Wen: Offline evaluation of ranking policies with click "
              "models. KDD 2018, section 4.2",
    .examples = ips_examples,
    .arithmetic = ips_text,
    .pooled = &ips_form,
});

constinit const MetricDefinition ips_clipped_metric = of_policy({
    .name = "ips_clipped",
    .takes = {MetricOption::clip},
    .estimator = Estimator::ips_clipped,
    .laws = {Law::none_beyond_family},
    .formula = "sum over ranks 1..min(k, n) of min(p / propensity, clip) * reward",
    .says = "ips that no single list decides. What is cut off makes it too small: how much, ips beside it says.",
    .edges = "weight_mean, and the warning by it, are of the weights before they are clipped.",
    .elsewhere = "`lambda_` of Open Bandit Pipeline.",
    .source = "Ionides: Truncated importance sampling. J. Computational and Graphical Statistics 17(2), 2008",
    .examples = clipped_examples,
    .arithmetic = clipped_text,
    .pooled = &clipped_form,
});

constinit const MetricDefinition dr_metric = of_policy({
    .name = "dr",
    .low = -infinite,
    .estimator = Estimator::dr,
    .laws = {Law::none_beyond_family},
    .formula = "sum over ranks 1..min(k, n) of expected + p / propensity * (reward - predicted)",
    .says = "A model's prediction, put right by what happened: right on average as ips is, and less far off the better the "
            "model is.",
    .edges = "Refused where a list's policy has no `predicted` and `expected`. It can be negative.",
    .elsewhere = "Open Bandit Pipeline's DoublyRobust, of lists of one item.",
    .source = "Dudík, Langford, Li: Doubly robust policy evaluation and learning. ICML 2011, section 2.2",
    .examples = dr_examples,
    .arithmetic = dr_text,
    .pooled = &dr_form,
});

constinit const MetricDefinition rips_metric = of_policy({
    .name = "rips",
    .estimator = Estimator::rips,
    .laws = {Law::none_beyond_family},
    .formula = "sum over ranks i = 1..min(k, n) of the product of p / propensity of ranks 1..i, times the reward at i",
    .says =
        "What lists of the judged policy would be worth if people read from the top and what stands further down does not "
        "change what they did above.",
    .edges = "Its weight, by which it may be refused, is that of the whole prefix.",
    .source = "McInerney, Brost, Chandar, Mehrotra, Carterette: Counterfactual evaluation of slate recommendations with "
              "sequential reward interactions. KDD 2020, section 3",
    .examples = rips_examples,
    .arithmetic = rips_text,
    .pooled = &rips_form,
});

constinit const MetricDefinition slate_ips_metric = of_policy({
    .name = "slate_ips",
    .estimator = Estimator::slate_ips,
    .laws = {Law::none_beyond_family},
    .formula = "the product of p / propensity of ranks 1..min(k, n), times the sum of their rewards",
    .says = "What lists of the judged policy would be worth, whatever ranks do to each other. It assumes least, and its "
            "weights grow with every rank: beyond three or four of them it is often refused.",
    .source = "Swaminathan et al.: Off-policy evaluation for slate recommendation. NIPS 2017, section 2",
    .examples = slate_examples,
    .arithmetic = list_text<Estimator::slate_ips>,
    .pooled = &slate_form,
});

constinit const MetricDefinition pseudo_inverse_metric = of_policy({
    .name = "pseudo_inverse",
    .low = -infinite,
    .estimator = Estimator::pseudo_inverse,
    .laws = {Law::none_beyond_family},
    .formula = "(1 + sum over ranks 1..min(k, n) of (p / propensity - 1)) times the sum of their rewards",
    .says = "For lists whose ranks were drawn each for itself: rewards may be seen for the list alone, as long as each rank "
            "adds its own part to them.",
    .edges = "Only with `logging: factored`. It can be negative.",
    .elsewhere = "For other ways to log, the pseudo-inverse of a matrix takes the place of the sum; it is not computed here.",
    .source = "Swaminathan et al.: Off-policy evaluation for slate recommendation. NIPS 2017, section 3.1; Vlassis et al.: "
              "Control variates for slate off-policy evaluation. NeurIPS 2021",
    .examples = pseudo_examples,
    .arithmetic = list_text<Estimator::pseudo_inverse>,
    .pooled = &pseudo_form,
});

constinit const MetricDefinition replay_match_metric = of_policy({
    .name = "replay_match",
    .estimator = Estimator::replay_match,
    .laws = {Law::none_beyond_family},
    .formula = "the sum of rewards of ranks 1..min(k, n), over lists that the judged policy is sure to show alike",
    .own_evidence = "p = 1 at each of these ranks",
    .says = "What happened where chance showed what the judged policy would have shown. Simple, and few lists are left.",
    .edges = "Only with `logging: uniform`. Refused by `ess` without such a list; `matches` counts them.",
    .source = "Li, Chu, Langford, Wang: Unbiased offline evaluation of contextual-bandit-based news article recommendation "
              "algorithms. WSDM 2011, section 3",
    .examples = replay_examples,
    .arithmetic = list_text<Estimator::replay_match>,
    .has_evidence = matches,
    .pooled = &replay_form,
});

}  // namespace recmeter
