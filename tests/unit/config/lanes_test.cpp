// `lanes`: what is right loads into the right values; every mistake has one fault with its place and what to do.
#include <gtest/gtest.h>

#include "one_fault.h"
#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter::testing {
namespace {

TEST(LanesConfig, reads_every_key) {
  const auto config = load("lanes: {names: [B, a-b], logged: shadow, credit: first_touch, pairs: true, unjudged: drop}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  const LaneSpec& lanes = config->spec.lanes;
  EXPECT_EQ(lanes.names, (std::vector<std::string>{"B", "a-b"}));
  EXPECT_TRUE(lanes.is_shadow());
  EXPECT_EQ(lanes.credit, Credit::first_touch);
  EXPECT_TRUE(lanes.pairs);
  EXPECT_EQ(lanes.unjudged, LaneSpec::Unjudged::drop);
}

TEST(LanesConfig, has_the_documented_defaults) {
  const auto config = load("lanes: {names: [B]}\n");
  ASSERT_TRUE(config) << all_text(config.error());
  const LaneSpec& lanes = config->spec.lanes;
  EXPECT_EQ(lanes.logged, LaneSpec::Logged::as_logged);
  EXPECT_EQ(lanes.credit, Credit::every_touch);
  EXPECT_FALSE(lanes.pairs);
  EXPECT_EQ(lanes.unjudged, LaneSpec::Unjudged::irrelevant);
  EXPECT_FALSE(load("")->spec.lanes.is_wanted());
}

std::vector<std::string> names_of(const Config& config) {
  std::vector<std::string> names;
  for (const MetricRequest& request : config.spec.metrics.requests) names.push_back(request.name);
  return names;
}

TEST(LanesConfig, asks_for_how_far_lanes_can_be_judged) {
  EXPECT_EQ(names_of(*load("metrics: {names: [mrr]}\nlanes: {names: [B]}\n")),
            (std::vector<std::string>{"mrr", "judged_share", "overlap"}));
  EXPECT_EQ(names_of(*load("metrics: {names: [overlap, mrr]}\nlanes: {names: [B]}\n")),
            (std::vector<std::string>{"overlap", "mrr", "judged_share"}));
}

class LaneMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(LaneMistakes, have_one_fault_with_place_and_remedy) {
  expect_one_fault(GetParam());
}

const Mistake mistakes[] = {
    {"no_names", "threads: 1\nlanes: {pairs: true}\n", 2, "lanes", "no recommender is named"},
    {"empty_names", "threads: 1\nlanes: {names: []}\n", 2, "lanes", "no recommender is named"},
    {"logged", "lanes:\n  names: [B, logged]\n", 2, "lanes.names[1]", "is the lane of what was shown"},
    {"twice", "lanes:\n  names: [B, C, B]\n", 2, "lanes.names[2]", "is there twice"},
    {"empty_name", "lanes:\n  names: [B, \"\"]\n", 2, "lanes.names[1]", "empty"},
    {"unknown_key", "lanes: {names: [B], pair: true}\n", 1, "lanes.pair", "not a key"},
    {"unknown_credit", "lanes: {names: [B], credit: all}\n", 1, "lanes.credit", "all"},
    {"unknown_logged", "lanes: {names: [B], logged: as_shown}\n", 1, "lanes.logged", "as_shown"},
    {"unknown_unjudged", "lanes: {names: [B], unjudged: 0}\n", 1, "lanes.unjudged", "0"},
    {"segment_key", "segments: [[recommender]]\nlanes: {names: [B]}\n", 1, "segments", "a segment key is `recommender`"},
    {"segment_key_among_others", "segments: [[v, recommender]]\nlanes: {names: [B]}\n", 1, "segments",
     "a segment key is `recommender`"},
    {"money", "metrics: {names: [{name: income, action: purchase}]}\nlanes: {names: [B]}\n", 2, "lanes",
     "would count on every list of a lane"},
    {"action", "join:\n  actions: {candidate: {}}\nlanes: {names: [B]}\n", 2, "join.actions",
     "an action is called `candidate`"},
};
INSTANTIATE_TEST_SUITE_P(Lanes, LaneMistakes, ::testing::ValuesIn(mistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LanesConfig, that_is_not_there_allows_what_lanes_forbid) {
  EXPECT_TRUE(load("segments: [[recommender]]\n"));
  EXPECT_TRUE(load("join: {actions: {candidate: {}}}\n"));
}

// The `config` of each lane's rows.
std::vector<std::string> hashes(const char* lanes) {
  const auto config = load(std::string("metrics: {names: [mrr]}\nlanes: ") + lanes + "\n");
  if (!config) {
    ADD_FAILURE() << all_text(config.error());
    return {};
  }
  const auto plan = EvaluatorPlan::make(config->spec, Duration{0}, false);
  std::vector<std::string> result;
  for (const auto& lane : plan->lanes) result.push_back(lane->spec->config_hash);
  return result;
}

TEST(LanesConfig, says_in_config_by_which_rule_a_lane_was_judged) {
  const auto plain = hashes("{names: [B, C]}");
  ASSERT_EQ(plain.size(), 3U);
  EXPECT_EQ(plain[1], plain[2]);
  EXPECT_NE(plain[0], plain[1]) << "what was shown is judged otherwise";
  EXPECT_EQ(hashes("{names: [C]}"), (std::vector{plain[0], plain[1]})) << "whichever others there are";
  const auto shadow = hashes("{names: [B], logged: shadow}");
  EXPECT_EQ(shadow[0], shadow[1]) << "by the same rule";
  EXPECT_NE(shadow[1], plain[1]);
  EXPECT_NE(hashes("{names: [B], credit: last_touch}")[1], plain[1]);
  EXPECT_NE(hashes("{names: [B], unjudged: drop}")[1], plain[1]);
  EXPECT_NE(hashes("{names: [B], pairs: true}")[1], plain[1]);
  EXPECT_NE(hashes("{names: [B, C], pairs: true}")[1], hashes("{names: [B], pairs: true}")[1]) << "other places count";
}

}  // namespace
}  // namespace recmeter::testing
