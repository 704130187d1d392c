#include "support/batch_policy_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "support/batch_interval.h"

namespace recmeter::support {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

constexpr MetricDefinition of_policy(std::string_view name) {
  MetricDefinition metric{name, MetricForm::of_policy, true, nullptr, nullptr, nullptr};
  metric.takes = {MetricOption::estimator, MetricOption::clip};
  return metric;
}

constexpr std::array names{"ips",       "ips_clipped",      "snips",        "dr",          "rips",
                           "slate_ips", "pseudo_inverse",   "replay_match", "weight_mean", "ess",
                           "ess_users", "max_weight_share", "matches"};

// value_of(some lists), and what it is without a group each of `weighed`.
template <class Value>
Estimate left_out(const std::vector<PolicyList>& lists, const std::vector<PolicyList>& weighed, double confidence,
                  Range range, Value&& value_of) {
  std::set<std::size_t> groups;
  for (const PolicyList& list : weighed) groups.insert(list.group);
  std::set<std::size_t> with_evidence;
  for (const PolicyList& list : lists) with_evidence.insert(list.group);
  std::vector<std::optional<double>> without;
  for (const std::size_t group : groups) {
    std::vector<PolicyList> rest = lists;
    std::erase_if(rest, [group](const PolicyList& list) { return list.group == group; });
    without.push_back(value_of(rest));
  }
  return estimate_left_out(value_of(lists), without, with_evidence.size(), confidence, range);
}

struct Asked {
  Estimator estimator;
  std::size_t k;
  const MetricOptions& options;

  [[nodiscard]] PolicyEstimate of(const std::vector<PolicyList>& lists) const {
    return policy_estimate(estimator, lists, k, options.clip);
  }
};

// Groups count that have a weight.
Estimate weight_mean(const Asked& asked, const std::vector<PolicyList>& lists, double confidence) {
  std::vector<PolicyList> weighed = lists;
  std::erase_if(weighed, [&](const PolicyList& list) { return !asked.of({list}).weight_mean; });
  return left_out(lists, weighed, confidence, {-infinite, infinite},
                  [&](const std::vector<PolicyList>& some) { return asked.of(some).weight_mean; });
}

// "the largest rounded up to a power of 1.01"; what is below 1.01^-926 counts as that.
double rounded_up(double weight) {
  double power = 1;
  if (weight > 1) {
    while (power < weight) power *= 1.01;
    return power;
  }
  for (int i = 0; i < 926 && power / 1.01 >= weight; ++i) power /= 1.01;
  return power;
}

std::optional<double> largest_share(const PolicyEstimate& facts) {
  if (facts.largest == 0) return std::nullopt;
  return facts.weight_sum <= 0 ? 1 : std::min(1.0, rounded_up(facts.largest) / facts.weight_sum);
}

// "by the first of these that holds"
std::string refusal(Estimator estimator, const PolicyEstimate& facts, const OffPolicySpec& spec) {
  if (facts.has_number_too_large) return "weight";
  if (facts.lacks_predictions) return "predicted";
  // "Where no list judges the policy nothing is refused; replay_match without a match is, by `ess`."
  if (facts.matches == 0) return estimator == Estimator::replay_match ? "ess" : "";
  if (facts.ess.value_or(0) < spec.min_ess) return "ess";
  if (facts.ess_users.value_or(0) < spec.min_ess) return "ess_users";
  return largest_share(facts).value_or(0) > spec.max_weight_share ? "max_weight_share" : "";
}

// As metrics of weights see lists: predictions and rewards play no part, and of a product of ranks only the whole.
Asked of_weights(Asked asked, std::vector<PolicyList>& lists) {
  for (PolicyList& list : lists) {
    list.predicted.assign(list.target.size(), 0);
    list.expected = list.rewards = list.predicted;
  }
  if (asked.estimator == Estimator::rips) asked.estimator = Estimator::slate_ips;
  return asked;
}

void estimate(const Asked& asked, const std::vector<PolicyList>& lists, double confidence, MetricValue& out) {
  const PolicyEstimate facts = asked.of(lists);
  const bool is_signed = asked.estimator == Estimator::dr || asked.estimator == Estimator::pseudo_inverse;
  out.refused = refusal(asked.estimator, facts, asked.options.off_policy);
  // "the interval of its weight_mean"
  std::vector<PolicyList> weighed = lists;
  const auto mean = weight_mean(of_weights(asked, weighed), weighed, 0.999).ci;
  out.is_suspect = mean && (mean->first > 1 || mean->second < 1);
  if (!out.refused.empty()) return;
  const Estimate is = left_out(lists, lists, confidence, {is_signed ? -infinite : 0, infinite},
                               [&](const std::vector<PolicyList>& some) { return asked.of(some).value; });
  out.value = is.value;
  out.se = is.se;
  out.ci = is.ci;
}

}  // namespace

std::span<const MetricDefinition> policy_metrics() {
  static const std::vector<MetricDefinition> all = [] {
    std::vector<MetricDefinition> metrics;
    for (const char* const name : names) metrics.push_back(of_policy(name));
    return metrics;
  }();
  return all;
}

bool judges_policy(std::string_view metric) {
  return std::ranges::find(names, metric) != names.end();
}

Estimator estimator_of(std::string_view metric, const MetricOptions& options) {
  const auto own = std::ranges::find(estimator_words, metric);
  if (own != estimator_words.end()) return static_cast<Estimator>(own - estimator_words.begin());
  return options.of.value_or(Estimator::replay_match);
}

MetricValue policy_value(const MetricColumn& column, const std::vector<PolicyList>& all, std::size_t shown,
                         double confidence) {
  const std::string_view name = column.definition->name;
  const Asked asked{estimator_of(name, column.options), column.k, column.options};
  std::vector<PolicyList> lists = all;
  if (asked.estimator == Estimator::replay_match) {
    std::erase_if(lists, [&](const PolicyList& list) { return !is_match(list, asked.k); });
  }
  MetricValue out;
  out.key = column.key;
  out.has_evidence = true;
  out.relevant_share = static_cast<double>(lists.size()) / static_cast<double>(shown);
  if (std::ranges::find(estimator_words, name) != estimator_words.end()) {
    estimate(asked, lists, confidence, out);
    return out;
  }
  const Asked asked_of = of_weights(asked, lists);
  const PolicyEstimate facts = asked_of.of(lists);
  if (name == "weight_mean") {
    const Estimate is = weight_mean(asked_of, lists, confidence);
    out.value = is.value;
    out.se = is.se;
    out.ci = is.ci;
  }
  if (name == "ess") out.value = facts.ess;
  if (name == "ess_users") out.value = facts.ess_users;
  if (name == "max_weight_share") out.value = largest_share(facts);
  if (name == "matches") out.value = facts.matches;
  return out;
}

std::vector<double> rewards_of(const MetricColumn& column, const ListRelevance& list) {
  const OffPolicySpec::Reward reward = column.options.off_policy.reward;
  const bool of_value = reward == OffPolicySpec::Reward::value && column.action;
  std::vector<double> rewards = (of_value ? list.by_worth.at(*column.action) : column.seen(list)).grades;
  if (reward == OffPolicySpec::Reward::hits) {
    for (double& of_rank : rewards) of_rank = of_rank > 0 ? 1 : 0;
  }
  return rewards;
}

}  // namespace recmeter::support
