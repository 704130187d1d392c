// Off-policy estimates: reference values, what they are refused by, and their formulas computed again. [S5.44], [S5.45].
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "policy_lists.h"
#include "support/batch_interval.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::Dice;
using support::PolicyList;
using test::Asked;
using test::estimate;

// Six slates of three ranks.
std::vector<PolicyList> six_slates() {
  const std::vector<std::vector<double>> rewards{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  const std::vector<std::vector<double>> logged{{.5, .25, .2}, {.2, .5, .4}, {.1, .3, .5},
                                                {.4, .4, .25}, {.3, .2, .5}, {.25, .5, .4}};
  const std::vector<std::vector<double>> target{{.4, .5, .2}, {.5, .25, .2}, {.05, .3, .25},
                                                {.6, .2, .5}, {.3, .4, .25}, {.5, .5, .2}};
  std::vector<PolicyList> lists;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    lists.push_back({.target = target[i],
                     .logged = logged[i],
                     .predicted = {},
                     .expected = {},
                     .rewards = rewards[i],
                     .user = "u" + std::to_string(i),
                     .group = i});
  }
  return lists;
}

TEST(OffPolicy, six_slates_have_the_reference_values) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{{"slate_ips", 1.0375},
                                                                               {"ips", 0.6333333333},
                                                                               {"rips", 0.8833333333},
                                                                               {"snips", 0.5199655766},
                                                                               {"pseudo_inverse", 1.4666666667}}) {
    EXPECT_NEAR(estimate({.name = name, .k = 3}, six_slates()).value.value_or(-1), value, 1e-10) << name;
    EXPECT_NEAR(estimate({.name = name, .k = 1000}, six_slates()).value.value_or(-1), value, 1e-10) << name;
  }
}

TEST(OffPolicy, rewards_are_grades_or_hits) {
  std::vector<PolicyList> lists = six_slates();
  for (PolicyList& list : lists) {
    for (double& reward : list.rewards) reward *= 7;
  }
  OffPolicySpec spec = support::off_policy_of(Estimator::ips);
  EXPECT_NEAR(estimate({.name = "ips", .options = {}, .spec = spec}, lists).value.value_or(-1), 7 * 0.6333333333, 1e-9);
  spec.reward = OffPolicySpec::Reward::hits;
  EXPECT_NEAR(estimate({.name = "ips", .options = {}, .spec = spec}, lists).value.value_or(-1), 0.6333333333, 1e-10);
}

// The value of one list, judged by itself: lists that random_lists makes are judged so as rarely as never refused.
std::vector<PolicyList> random_lists(Dice& dice, std::size_t count, bool is_sure) {
  std::vector<PolicyList> lists;
  for (std::size_t i = 0; i < count; ++i) {
    PolicyList& list = lists.emplace_back();
    list.group = dice.below(64);
    list.user = std::to_string(list.group) + "/" + std::to_string(dice.below(3));
    for (std::size_t length = dice.below(5); length > 0; --length) {
      const bool surely = is_sure && dice.percent(80);
      list.target.push_back(surely ? 1 : dice.pick<double>({0, 0.05, 0.1, 0.25, 0.3, 0.7}));
      list.logged.push_back(dice.pick<double>({0.1, 0.2, 1.0 / 3, 0.5, 1}));
      list.predicted.push_back(dice.pick<double>({0, 0.1, 0.5}));
      list.expected.push_back(dice.pick<double>({0, 0.2, 0.3}));
      list.rewards.push_back(dice.percent(30) ? dice.pick<double>({0.5, 1, 3}) : 0);
    }
  }
  return lists;
}

constexpr std::array all_estimators{
    Estimator::ips,  Estimator::ips_clipped, Estimator::snips,          Estimator::dr,
    Estimator::rips, Estimator::slate_ips,   Estimator::pseudo_inverse, Estimator::replay_match};

void expect_near(const std::optional<double>& is, const std::optional<double>& expected, const std::string& what) {
  ASSERT_EQ(is.has_value(), expected.has_value()) << what;
  if (is) {
    ASSERT_NEAR(*is, *expected, 1e-8 * (1 + std::abs(*expected))) << what;
  }
}

// Value, standard error and interval from whole lists, each group left out in turn.
support::Estimate by_hand(Estimator estimator, const std::vector<PolicyList>& lists, std::uint32_t k, double clip) {
  const auto value_of = [&](const std::vector<PolicyList>& some) {
    return support::policy_estimate(estimator, some, k, clip).value;
  };
  const auto counts = [&](const PolicyList& list) {
    return estimator != Estimator::replay_match || support::policy_estimate(estimator, {list}, k, clip).matches > 0;
  };
  std::set<std::size_t> groups;
  for (const PolicyList& list : lists) {
    if (counts(list)) groups.insert(list.group);
  }
  std::vector<std::optional<double>> without;
  for (const std::size_t group : groups) {
    std::vector<PolicyList> rest = lists;
    std::erase_if(rest, [group](const PolicyList& list) { return list.group == group; });
    without.push_back(value_of(rest));
  }
  const bool is_signed = estimator == Estimator::dr || estimator == Estimator::pseudo_inverse;
  const double infinite = std::numeric_limits<double>::infinity();
  return support::estimate_left_out(value_of(lists), without, groups.size(), 0.95, {is_signed ? -infinite : 0, infinite});
}

TEST(OffPolicy, formulas_computed_again_from_whole_lists_give_the_same) {
  support::for_each_seed(40, 400, [](std::uint64_t seed) {
    Dice dice(seed);
    const std::size_t count = dice.pick<std::size_t>({1, 3, 20, 150});
    const std::vector<PolicyList> lists = random_lists(dice, count, dice.percent(50));
    const auto k = dice.pick<std::uint32_t>({1, 2, 10});
    const double clip = dice.pick<double>({1.5, 10});
    for (const Estimator estimator : all_estimators) {
      const std::string name(to_string(estimator));
      const std::string what = name + " of seed " + std::to_string(seed);
      MetricOptions options;
      if (estimator == Estimator::ips_clipped) options.clip = clip;
      const support::Estimate expected = by_hand(estimator, lists, k, clip);
      const Estimate is = estimate({.name = name, .k = k, .options = options}, lists);
      ASSERT_NO_FATAL_FAILURE(expect_near(is.value, expected.value, what));
      ASSERT_NO_FATAL_FAILURE(expect_near(is.se, expected.se, what + ": se"));
      if (is.ci && expected.ci) {  // of values equal but for their rounding only one of the two may have one
        ASSERT_NEAR(is.ci->first, expected.ci->first, 1e-6 * (1 + std::abs(expected.ci->first))) << what;
        ASSERT_NEAR(is.ci->second, expected.ci->second, 1e-6 * (1 + std::abs(expected.ci->second))) << what;
      } else {
        ASSERT_TRUE(!is.ci == !expected.ci || is.se < 1e-9) << what;
      }
      const support::PolicyEstimate facts = support::policy_estimate(estimator, lists, k, clip);
      options.of = estimator;
      const auto fact = [&](const char* metric) {
        const Estimate of_weights = estimate({.name = metric, .k = k, .options = options}, lists);
        EXPECT_TRUE(std::string_view(metric) == "weight_mean" || (!of_weights.se && !of_weights.ci)) << metric;
        return of_weights.value;
      };
      ASSERT_NO_FATAL_FAILURE(expect_near(fact("weight_mean"), facts.weight_mean, what + ": weight_mean"));
      ASSERT_NO_FATAL_FAILURE(expect_near(fact("ess"), facts.ess, what + ": ess"));
      ASSERT_NO_FATAL_FAILURE(expect_near(fact("ess_users"), facts.ess_users, what + ": ess_users"));
      const auto share = fact("max_weight_share");
      ASSERT_EQ(share.has_value(), facts.max_weight_share.has_value()) << what;
      if (share) {
        ASSERT_GE(*share, *facts.max_weight_share * (1 - 1e-9)) << what;
        ASSERT_LE(*share, *facts.max_weight_share * 1.0101) << what;
      }
      if (estimator == Estimator::replay_match) {
        ASSERT_EQ(estimate({.name = "matches", .k = k}, lists).value, facts.matches) << what;
      }
    }
  });
}

// A policy equal to the one that was logged: nothing has to be weighed.
TEST(OffPolicy, of_the_logged_policy_itself_is_the_plain_mean) {
  Dice dice(3);
  std::vector<PolicyList> lists = random_lists(dice, 400, false);
  double total = 0;
  for (PolicyList& list : lists) {
    list.target = list.logged;
    list.expected = list.predicted;
    for (const double reward : list.rewards) total += reward;
  }
  const auto n = static_cast<double>(lists.size());
  for (const Estimator estimator : all_estimators) {
    if (estimator == Estimator::replay_match) continue;  // it judges one that is sure of its lists
    const std::string name(to_string(estimator));
    EXPECT_NEAR(estimate({.name = name}, lists).value.value_or(-1), total / n, 1e-9) << name;
    EXPECT_EQ(estimate({.name = "ess", .options = {.of = estimator}}, lists).value, n) << name;
    EXPECT_EQ(estimate({.name = "weight_mean", .options = {.of = estimator}}, lists).value, 1) << name;
    EXPECT_FALSE(estimate({.name = name}, lists).is_suspect) << name;
  }
  for (PolicyList& list : lists) list.target.assign(list.logged.size(), 1);
  EXPECT_NEAR(estimate({.name = "replay_match"}, lists).value.value_or(-1), total / n, 1e-9);
  EXPECT_EQ(estimate({.name = "ess", .options = {.of = Estimator::replay_match}}, lists).value, n);
  EXPECT_EQ(estimate({.name = "matches"}, lists).value, n);
}

// As many lists of one item, each of a user of its own, whose weights are those given, again and again.
std::vector<PolicyList> weighing(const std::vector<double>& weights, std::size_t times, std::size_t lists_of_user = 1) {
  std::vector<PolicyList> lists;
  for (std::size_t i = 0; i < times; ++i) {
    for (const double weight : weights) {
      const std::size_t user = lists.size() / lists_of_user;
      lists.push_back({.target = {weight / 10},
                       .logged = {0.1},
                       .predicted = {0},
                       .expected = {0},
                       .rewards = {static_cast<double>(lists.size() % 2)},
                       .user = std::to_string(user),
                       .group = user % 64});
    }
  }
  return lists;
}

struct Fate {
  bool has_value;
  std::string refused;
  bool is_suspect;
  friend bool operator==(const Fate&, const Fate&) = default;
};
void PrintTo(const Fate& fate, std::ostream* out) {
  *out << fate.has_value << " '" << fate.refused << "' " << fate.is_suspect;
}

Fate fate_of(const std::vector<PolicyList>& lists, std::string name = "ips", OffPolicySpec spec = {}) {
  const Estimate is = estimate({.name = std::move(name), .options = {}, .spec = spec}, lists);
  EXPECT_TRUE(is.value || (!is.se && !is.ci && is.left_out.groups == 0)) << "an interval of nothing";
  return {is.value.has_value(), std::string(is.refused), is.is_suspect};
}

TEST(OffPolicy, an_estimate_is_refused_for_what_its_weights_cannot_carry) {
  EXPECT_EQ(fate_of(weighing({1}, 100)), (Fate{true, "", false}));
  EXPECT_EQ(fate_of(weighing({1}, 99)), (Fate{false, "ess", false}));
  EXPECT_EQ(fate_of(weighing({1}, 99), "ips", {.min_ess = 99}), (Fate{true, "", false}));
  EXPECT_EQ(fate_of(weighing({0, 0, 0, 4}, 99), "ips", {}), (Fate{false, "ess", false})) << "a quarter of 396 lists weighs";
  EXPECT_EQ(fate_of(weighing({1}, 198, 2)), (Fate{false, "ess_users", false})) << "of 99 users, two lists each";
  EXPECT_EQ(fate_of(weighing({1}, 198, 2), "ips", {.min_ess = 0}), (Fate{true, "", false}));
  std::vector<PolicyList> heavy = weighing({1}, 2000);
  heavy.back().target = {1};
  heavy.back().logged = {1.0 / 90};
  EXPECT_EQ(fate_of(heavy), (Fate{true, "", false}));
  EXPECT_EQ(fate_of(heavy, "ips", {.max_weight_share = 0.03}), (Fate{false, "max_weight_share", false}));
  heavy.back().logged = {1e-9};
  EXPECT_EQ(fate_of(heavy, "ips", {.min_ess = 0, .max_weight_share = 1}), (Fate{false, "weight", false}));
  std::vector<PolicyList> unforeseen = weighing({1}, 200);
  EXPECT_EQ(fate_of(unforeseen, "dr"), (Fate{true, "", false}));
  unforeseen.front().predicted.clear();
  unforeseen.front().expected.clear();
  EXPECT_EQ(fate_of(unforeseen, "dr"), (Fate{false, "predicted", false}));
  EXPECT_EQ(fate_of(unforeseen, "ips"), (Fate{true, "", false}));
}

TEST(OffPolicy, propensities_that_give_weights_another_mean_than_1_are_suspect) {
  EXPECT_EQ(fate_of(weighing({0.5, 1.5}, 200)), (Fate{true, "", false}));
  EXPECT_EQ(fate_of(weighing({0.9, 1.5}, 200)), (Fate{true, "", true}));
  EXPECT_EQ(fate_of(weighing({0.2, 0.4}, 200)), (Fate{true, "", true}));
  EXPECT_EQ(fate_of(weighing({0.9, 1.5}, 20)), (Fate{false, "ess", true})) << "and refused besides";
  EXPECT_EQ(fate_of(weighing({0.1, 0.1, 0.1, 3.7}, 200), "ips_clipped"), (Fate{true, "", false})) << "not for clipping them";
}

TEST(OffPolicy, lists_without_a_policy_are_left_out) {
  const MetricPlan plan = test::plan_of({.name = "ips", .k = 3});
  PaneSums pane;
  for (const PolicyList& list : six_slates()) test::add(pane, plan, list);
  const std::vector<Hit> hits{{1, 1}};
  for (std::size_t i = 0; i < 2; ++i) pane.add({}, ListValues(plan, ScoredList{.length = 3, .hits = hits}), {}, true);
  RunningSums sums;
  sums.enter(pane);
  const Estimate is = sums.estimate(plan.metrics().front(), 0.95);
  EXPECT_NEAR(*is.value, 0.6333333333, 1e-10);
  EXPECT_EQ(is.relevant_share, 0.75);
  const Estimate of_none = estimate(plan, {});
  EXPECT_FALSE(of_none.value);
  EXPECT_EQ(of_none.refused, "") << "there is nothing to refuse";
}

TEST(OffPolicy, says_nothing_of_one_list_that_it_cannot_weigh) {
  const MetricPlan plan = test::plan_of({.name = "dr", .k = 3});
  const std::vector<double> half{0.5, 0.5};
  ScoredList list{.length = 2};
  list.policy = ListPolicy{half, half, half, half};
  EXPECT_EQ(MetricPlan::value_of(plan.metrics().front(), list), 0);
  list.policy = ListPolicy{half, half, {}, {}};
  EXPECT_EQ(MetricPlan::value_of(plan.metrics().front(), list), std::nullopt);
}

TEST(OffPolicy, needs_what_its_estimators_assume) {
  const auto refusal = [](const std::string& name, std::optional<OffPolicySpec> spec, MetricOptions options = {}) {
    const MetricContext context{.off_policy = spec, .actions = {{.name = "buy", .gain = 1, .after = {}, .horizon = {}}}};
    const auto plan = MetricPlan::make({.cutoffs = {1}, .requests = {{name, {}, std::move(options)}}}, context);
    return plan ? "" : plan.error().context;
  };
  const OffPolicySpec usual;
  const OffPolicySpec conditional{.propensities = OffPolicySpec::Propensities::conditional};
  EXPECT_EQ(refusal("ips", usual), "");
  EXPECT_EQ(refusal("ips", std::nullopt),
            "metrics.names: `ips` judges another policy; write `off_policy: {propensities: marginal}`");
  EXPECT_EQ(refusal("rips", usual),
            "metrics.names: `rips` needs more: marginal propensities do not determine the probability of a prefix; set "
            "off_policy.propensities to conditional if they are");
  EXPECT_EQ(refusal("rips", conditional), "");
  EXPECT_NE(refusal("snips", conditional), "");
  EXPECT_NE(refusal("ess", conditional, {.of = Estimator::snips}), "");
  EXPECT_EQ(refusal("ess", conditional, {.of = Estimator::rips}), "");
  EXPECT_EQ(refusal("ess", usual), "metrics.names: `ess` is of one estimator; write which: of: snips");
  EXPECT_NE(refusal("precision", usual, {.of = Estimator::snips}), "");
  EXPECT_NE(refusal("pseudo_inverse", usual), "");
  EXPECT_EQ(refusal("pseudo_inverse", OffPolicySpec{.logging = OffPolicySpec::Logging::factored}), "");
  EXPECT_NE(refusal("replay_match", usual), "");
  EXPECT_NE(refusal("matches", usual), "");
  EXPECT_EQ(refusal("replay_match", OffPolicySpec{.logging = OffPolicySpec::Logging::uniform}), "");
  const OffPolicySpec of_value{.reward = OffPolicySpec::Reward::value};
  EXPECT_NE(refusal("ips", of_value), "");
  EXPECT_EQ(refusal("ips", of_value, {.action = "buy"}), "");
}

TEST(OffPolicy, values_of_an_action_are_rewards) {
  OffPolicySpec spec = support::off_policy_of(Estimator::ips);
  spec.reward = OffPolicySpec::Reward::value;
  const MetricContext context{.off_policy = spec, .actions = {{.name = "buy", .gain = 1, .after = {}, .horizon = {}}}};
  const auto plan = MetricPlan::make({.cutoffs = {2}, .requests = {{"ips", {}, {.action = "buy"}}}}, context);
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->asked_actions().front().needs_value);
  EXPECT_EQ(plan->metrics().front().key, "ips{action=buy}@2");
  const std::vector<double> half{0.5, 0.5};
  const std::vector<double> quarter{0.25, 0.5};
  const std::vector<Hit> hits{{1, 1}, {2, 1}};
  const std::vector<Hit> worth{{1, 20}};
  const std::array actions{ActionPart{.hits = hits, .worth = worth}};
  ScoredList list{.length = 2, .hits = hits};
  list.by_action = actions;
  list.policy = ListPolicy{half, quarter, {}, {}};
  PaneSums pane;
  pane.add({}, ListValues(*plan, list), {}, true);
  RunningSums sums;
  sums.enter(pane);
  EXPECT_EQ(sums.estimate(plan->metrics().front(), 0.95).value, 40);
}

TEST(WeightBuckets, are_one_percent_wide_and_hold_1_exactly) {
  EXPECT_EQ(weight_bound(weight_bucket(1)), 1);
  for (double weight = 1e-3; weight <= weight_max; weight *= 1.7) {
    const double bound = weight_bound(weight_bucket(weight));
    EXPECT_GE(bound, weight);
    EXPECT_LE(bound, weight * 1.01 * (1 + 1e-9));
  }
  EXPECT_LT(weight_bucket(weight_max), weight_buckets);
  EXPECT_EQ(weight_bucket(1e-300), 0U);
}

TEST(UserWeights, of_huge_sums_are_exact) {
  UserWeights users;
  const std::vector<std::int64_t> large{1, 5, 1 << 20};  // 2^84 + 5 * 2^32 + 1
  users.add(large);
  users.add(large);
  std::array<Int128, weight_columns> columns{};
  columns[1] = 1;
  EXPECT_EQ(effective_users({.columns = columns, .users = users}), 2);
}

}  // namespace
}  // namespace recmeter
