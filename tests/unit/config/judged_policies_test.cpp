// `off_policy` with `lanes`: whose policies are judged, in which lanes, and what is refused.
#include <gtest/gtest.h>

#include "one_fault.h"
#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter::testing {
namespace {

std::vector<std::string> lanes_of(std::string_view yaml) {
  const auto config = load(yaml);
  if (!config) {
    ADD_FAILURE() << all_text(config.error());
    return {};
  }
  const auto plan = EvaluatorPlan::make(config->spec, Duration{0}, false);
  if (!plan) {
    ADD_FAILURE() << plan.error().context;
    return {};
  }
  std::vector<std::string> texts;
  for (const auto& lane : plan->lanes) {
    std::string text = std::string(lane->plan.lane_key()) + " " + lane->plan.lane + ":";
    for (const PlannedMetric& metric : lane->plan.metrics.metrics()) text += " " + metric.key;
    texts.push_back(text);
  }
  return texts;
}

TEST(JudgedPolicies, have_lanes_of_their_own_with_the_estimates_and_nothing_else) {
  EXPECT_EQ(lanes_of("lanes: {names: [B, C]}\noff_policy: {}\nmetrics: {names: [mrr, snips], cutoffs: [3]}\n"),
            (std::vector<std::string>{
                "recommender logged: mrr@3 judged_share@3 overlap@3", "recommender B: mrr@3 judged_share@3 overlap@3",
                "recommender C: mrr@3 judged_share@3 overlap@3", "target_policy B: snips@3", "target_policy C: snips@3"}));
}

std::string hash_of(const std::string& lanes, std::size_t lane) {
  const auto config = load("metrics: {names: [mrr, snips]}\noff_policy: {}\nlanes: " + lanes + "\n");
  return EvaluatorPlan::make(config->spec, Duration{0}, false)->lanes.at(lane)->spec->config_hash;
}

TEST(JudgedPolicies, say_in_config_by_which_rule_they_are_judged) {
  const std::string plain = hash_of("{names: [B, C]}", 3);
  EXPECT_EQ(plain, hash_of("{names: [B, C]}", 4));
  EXPECT_EQ(plain, hash_of("{names: [C]}", 2)) << "whichever others there are";
  EXPECT_NE(plain, hash_of("{names: [B, C]}", 0)) << "estimates are no values of what was shown";
  EXPECT_NE(plain, hash_of("{names: [B], logged: shadow}", 2));
  EXPECT_EQ(plain, hash_of("{names: [B], credit: last_touch}", 2)) << "the lists are joined as in `logged`";
  EXPECT_EQ(plain, hash_of("{names: [B], pairs: true, unjudged: drop}", 2)) << "these play no part";
}

class PolicyMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(PolicyMistakes, have_one_fault_with_place_and_remedy) {
  expect_one_fault(GetParam());
}

const Mistake mistakes[] = {
    {"of_nobody", "metrics: {names: [ips]}\noff_policy: {}\n", 2, "off_policy", "no recommender is named"},
    {"without_an_estimate", "lanes: {names: [B]}\noff_policy: {}\n", 2, "off_policy", "nothing is estimated"},
    {"money_in_shadow",
     "metrics: {names: [{name: ips, action: purchase}]}\noff_policy: {reward: value}\nlanes: {names: [B], logged: shadow}\n",
     3, "lanes", "would count on every list of a lane"},
    {"segment_key", "lanes: {names: [B]}\nmetrics: {names: [ips]}\nsegments: [[target_policy]]\noff_policy: {}\n", 3,
     "segments", "a segment key is `target_policy`"},
    {"action", "lanes: {names: [B]}\nmetrics: {names: [ips]}\njoin:\n  actions: {policy: {}}\noff_policy: {}\n", 4,
     "join.actions", "an action is called `policy`"},
};
INSTANTIATE_TEST_SUITE_P(Policies, PolicyMistakes, ::testing::ValuesIn(mistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(JudgedPolicies, that_are_not_asked_for_forbid_no_words) {
  EXPECT_TRUE(load("lanes: {names: [B]}\nsegments: [[target_policy]]\njoin: {actions: {policy: {}}}\n"));
}

}  // namespace
}  // namespace recmeter::testing
