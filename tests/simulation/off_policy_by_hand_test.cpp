// Lanes that judge another policy, reckoned by hand on logs small enough to see through. docs/semantics.md, [S5.44], [S5.45].
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/batch_decoder.h"
#include "support/batch_event.h"
#include "support/decoded.h"
#include "support/engine_run.h"

namespace recmeter::support {
namespace {

std::string policy_line(std::int64_t ms, const std::string& user, const std::string& list, const std::string& propensities,
                        const std::string& more = "") {
  return R"({"type":"policy","ts":)" + std::to_string(zero_ms + ms) + R"(,"recommender":"B","user_id":")" + user +
         R"(","list_id":")" + list + R"(","propensities":)" + propensities + more + "}";
}

// One window of a minute, horizon 10 s, assemble 2 s; nothing is refused.
class OffPolicyByHand : public testing::Test {
 protected:
  OffPolicyByHand() {
    spec_.name = "by hand";
    spec_.config_hash = "0000000000000000";
    spec_.join.horizons = {Duration{10'000}};
    spec_.join.assemble = Duration{2000};
    spec_.join.same_list = Duration{60'000};
    spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec_.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
    spec_.metrics.cutoffs = {3};
    spec_.metrics.requests = {{.name = "precision"}, {.name = "ips"}};
    for (const char* const name : {"weight_mean", "ess"}) {
      spec_.metrics.requests.push_back({.name = name, .as = name, .options = {.of = Estimator::ips}});
    }
    spec_.lanes.names = {"B"};
    spec_.off_policy = OffPolicySpec{.min_ess = 0, .max_weight_share = 1};
  }

  EngineResult run(const std::vector<std::string>& lines) {
    BatchInput input{.name = "log", .bytes = {}, .fields = native_fields()};
    for (const std::string& line : lines) input.bytes += line + "\n";
    input.bytes += tick_line(72'000) + "\n";
    return run_engine(spec_, std::vector{input}, {});
  }
  // Of the row that judges B: "3 lists, ips@3 2 ...".
  static std::string told(const EngineResult& result) {
    std::string text;
    for (const Row& row : result.rows) {
      if (row.segment.front() != std::pair<std::string, std::string>("target_policy", "B")) continue;
      text += std::to_string(row.lists) + " lists";
      for (const MetricValue& metric : row.metrics) {
        text += ", " + metric.key + " ";
        metric.value ? append_shortest(text, *metric.value) : void(text += "null");
      }
      text += row.stage == Stage::final ? ";" : " truncated;";
    }
    return text;
  }
  static std::string counted(const EngineResult& result) {
    const LaneReport& lane = result.report.lanes.back();
    return lane.name + (lane.is_policy ? " policy" : "") + ": " + std::to_string(lane.counts.policies.joined) + " joined, " +
           std::to_string(lane.counts.policies.orphaned) + " orphaned, " + std::to_string(lane.counts.judged) + " judged";
  }

  // Of the row that judges B: "ips@3", or none of that name.
  static const MetricValue& judged(const EngineResult& result, const std::string& key) {
    static const MetricValue none;
    for (const MetricValue& metric : result.rows.back().metrics) {
      if (metric.key == key) return metric;
    }
    ADD_FAILURE() << "there is no " << key;
    return none;
  }

  EvaluatorSpec spec_;
};

// "[a b]", shown with probabilities of 1/2 and 1/4.
const char* const shown = R"(,"propensities":[0.5,0.25])";

TEST_F(OffPolicyByHand, a_policy_is_of_the_list_that_it_names) {
  const EngineResult result = run({
      list_line(1000, "u", "L1", {"a", "b"}, shown),
      policy_line(2999, "u", "L1", "[0.25,0.5]"),  // 1 ms before it would be too late
      policy_line(2999, "u", "L1", "[1,1]"),       // "[1" comes after "[0" in the order of the join: a duplicate
      feedback_line(3000, "click", "u", "b", "L1"),
      list_line(5000, "v", "L2", {"a", "b"}, shown),
      policy_line(7000, "v", "L2", "[1,1]"),  // too late: orphaned
      policy_line(7000, "v", "L9", "[1,1]"),  // no such list: orphaned
      policy_line(7000, "v", "L1", "[1,1]"),  // u's list: orphaned
      list_line(9000, "w", "L3", {"a", "b"}, shown),
      policy_line(9000, "w", "L3", "[1]"),    // of other ranks: orphaned, and takes no place
      policy_line(9001, "w", "L3", "[1,1]"),  // weights 1 / 0.5 = 2 and 1 / 0.25 = 4
      policy_line(9001, "w", "L3", "[1,1,1]"),
  });
  // L1 has weights 0.25 / 0.5 = 0.5 and 0.5 / 0.25 = 2, and b was clicked: 0.5 * 0 + 2 * 1 = 2; nothing of L3. The mean
  // weight is 8.5 / 4, and they are worth 2 lists / 4 weights * 8.5^2 / (0.25 + 4 + 4 + 16).
  EXPECT_EQ(told(result), "3 lists, ips@3 1, weight_mean@3 2.125, ess@3 1.4896907216494846;");
  EXPECT_EQ(counted(result), "B policy: 2 joined, 5 orphaned, 2 judged");
  EXPECT_EQ(result.report.events.policies, 7U);
  EXPECT_EQ(result.report.events.duplicate(), 1U);
  EXPECT_EQ(result.report.lanes.back().counts.feedback.credited, 1U);
  EXPECT_EQ(result.rows.back().metrics.front().relevant_share, 2.0 / 3);
}

TEST_F(OffPolicyByHand, the_other_lanes_have_the_other_metrics) {
  const EngineResult result = run({list_line(1000, "u", "L1", {"a", "b"}, shown), policy_line(1000, "u", "L1", "[1,1]"),
                                   candidate_line(1000, "B", "u", "L1", {"b"})});
  ASSERT_EQ(result.rows.size(), 3U);
  const std::vector<std::string> lanes{"logged", "B", "B"};
  const std::vector<std::string> keys{"recommender", "recommender", "target_policy"};
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const Row& row = result.rows[i];
    EXPECT_EQ(row.segment, (std::vector{std::pair(keys[i], lanes[i])}));
    EXPECT_EQ(row.metrics.size(), i == 2 ? 3U : 1U);
    EXPECT_EQ(row.metrics.front().key, i == 2 ? "ips@3" : "precision@3");
  }
  ASSERT_EQ(result.report.lanes.size(), 2U);
  EXPECT_FALSE(result.report.lanes.front().is_policy);
}

TEST_F(OffPolicyByHand, a_rank_without_propensity_says_that_the_list_judges_nothing) {
  const std::string half = R"(,"propensity":0.5)";
  const EngineResult result = run({
      row_line(1000, "u", "L1", "a", 1, half),
      policy_line(1000, "u", "L1", "[1,0.5,0.25]"),  // before the list is whole
      row_line(2000, "u", "L1", "b", 2, half),
      row_line(2999, "u", "L1", "c", 3, half),
      row_line(3000, "u", "L1", "d", 4, half),  // too late to be part of it
      feedback_line(3000, "click", "u", "c", "L1"),
      row_line(5000, "v", "L2", "a", 1, half),
      row_line(5000, "v", "L2", "b", 2),  // without
      policy_line(5000, "v", "L2", "[1,1]"),
      row_line(9000, "w", "L3", "a", 1, half),
      row_line(9000, "w", "L3", "c", 3, half),  // nobody reported rank 2
      policy_line(9000, "w", "L3", "[1,1,1]"),
      list_line(9000, "x", "L4", {"a", "b"}),  // none at all
      policy_line(9000, "x", "L4", "[1,1]"),
  });
  // L1: weights 2, 1 and 0.5, c was clicked: 0.5. Mean 3.5 / 3, ess 1 / 3 * 12.25 / 5.25.
  EXPECT_EQ(told(result), "4 lists, ips@3 0.5, weight_mean@3 1.1666666666666667, ess@3 0.7777777777777778;");
  EXPECT_EQ(counted(result), "B policy: 4 joined, 0 orphaned, 1 judged");
}

TEST_F(OffPolicyByHand, a_candidate_is_a_policy_that_is_certain) {
  const EngineResult result = run({
      list_line(1000, "u", "L1", {"a", "b"}, shown),
      candidate_line(1500, "B", "u", "L1", {"a", "x", "b"}),  // weights 1 / 0.5 and 0
      candidate_line(1500, "B", "u", "L1", {"b", "a"}),       // a duplicate
      feedback_line(3000, "click", "u", "a", "L1"), list_line(5000, "v", "L2", {"a", "b"}, shown),
      candidate_line(5000, "B", "v", "L2", {"a"}),                                                    // it ends: 2 and 0
      list_line(6000, "w", "L3", {"a", "b"}, shown), candidate_line(6000, "B", "w", "", {"a", "b"}),  // names no list
      list_line(7000, "x", "L4", {"a", "b"}, shown), candidate_line(7000, "B", "x", "L4", {"a", "b"}),
      policy_line(8000, "x", "L4", "[0.5,0.25]"),  // comes before the candidate: 1 and 1
      list_line(8000, "y", "L5", {"a", "b"}, shown), candidate_line(8000, "B", "y", "L5", {"a", "b"}),
      policy_line(8000, "y", "L5", "[1]"),  // of other ranks: the candidate counts, 1 / 0.5 = 2 and 1 / 0.25 = 4
  });
  // L1, L2, L4 and L5 judge: (2 * 1 + 0 + 0 + 0) / 4. Weights 2 0 2 0 1 1 2 4: mean 1.5, ess 4 / 8 * 144 / 30.
  EXPECT_EQ(told(result), "5 lists, ips@3 0.5, weight_mean@3 1.5, ess@3 2.4;");
  EXPECT_EQ(counted(result), "B policy: 1 joined, 1 orphaned, 4 judged");
  EXPECT_EQ(result.report.events.candidates, 5U);
}

TEST_F(OffPolicyByHand, a_candidate_that_shows_nothing_is_certain_not_to_show_the_list) {
  const EngineResult result = run({
      list_line(1000, "u", "L1", {"a", "b"}, shown),
      candidate_line(1500, "B", "u", "L1", {}),
      candidate_line(1600, "B", "u", "L1", {"a", "b"}),  // a duplicate, of which nothing may depend
      feedback_line(3000, "click", "u", "a", "L1"),
  });
  EXPECT_EQ(told(result), "1 lists, ips@3 0, weight_mean@3 0, ess@3 0;");
  EXPECT_EQ(result.report.events.duplicate(), 1U);
}

TEST_F(OffPolicyByHand, under_shadow_what_was_shown_takes_credit_as_the_lanes_do) {
  spec_.lanes.logged = LaneSpec::Logged::shadow;
  const std::vector<std::string> lines{
      list_line(1000, "u", "L1", {"a", "b"}, shown), policy_line(1000, "u", "L1", "[0.5,0.25]"),
      feedback_line(3000, "click", "u", "b", "L9"),  // as logged it would be unmatched
  };
  EXPECT_EQ(told(run(lines)), "1 lists, ips@3 1, weight_mean@3 1, ess@3 1;");
  spec_.lanes.logged = LaneSpec::Logged::as_logged;
  EXPECT_EQ(told(run(lines)), "1 lists, ips@3 0, weight_mean@3 1, ess@3 1;");
}

TEST_F(OffPolicyByHand, pairs_and_unjudged_play_no_part) {
  spec_.lanes.pairs = true;
  spec_.lanes.unjudged = LaneSpec::Unjudged::drop;
  const EngineResult result = run({list_line(1000, "u", "L1", {"a", "b"}, shown), policy_line(1000, "u", "L1", "[0.5,0.25]"),
                                   feedback_line(3000, "click", "u", "b", "L1")});
  EXPECT_EQ(told(result), "1 lists, ips@3 1, weight_mean@3 1, ess@3 1;");
  EXPECT_EQ(result.report.lanes.front().counts.unpaired, 0U);
  EXPECT_EQ(result.report.lanes.back().counts.unpaired, 0U);
}

TEST_F(OffPolicyByHand, dr_is_refused_where_a_list_has_no_predictions) {
  spec_.metrics.requests = {{.name = "dr"}};
  std::vector<std::string> lines{
      list_line(1000, "u", "L1", {"a", "b"}, shown),
      policy_line(1000, "u", "L1", "[0.25,0.5]", R"(,"predicted":[0.5,0.25],"expected":[0.125,0.75])"),
      feedback_line(3000, "click", "u", "b", "L1"),
  };
  // 0.125 + 0.5 * (0 - 0.5) + 0.75 + 2 * (1 - 0.25)
  EXPECT_EQ(told(run(lines)), "1 lists, dr@3 2.125;");
  lines.push_back(list_line(5000, "v", "L2", {"a"}, R"(,"propensities":[0.5])"));
  lines.push_back(candidate_line(5000, "B", "v", "L2", {"a"}));
  const EngineResult result = run(lines);
  EXPECT_EQ(told(result), "2 lists, dr@3 null;");
  EXPECT_EQ(result.rows.back().metrics.front().refused, "predicted");
}

// The lists of 30 users have predictions and weigh 0.9 and 1.1; those of 30 others have none and weigh 2 and 4.
TEST_F(OffPolicyByHand, dr_is_suspect_by_the_weights_that_its_weight_mean_is_of) {
  spec_.metrics.requests = {{.name = "dr"}, {.name = "ips"}};
  spec_.metrics.requests.push_back({.name = "weight_mean", .as = "weight_mean", .options = {.of = Estimator::dr}});
  std::vector<std::string> lines;
  for (int u = 0; u < 60; ++u) {
    const std::string user = "u" + std::to_string(u);
    lines.push_back(list_line(1000 + u, user, "L" + user, {"a"}, R"(,"propensities":[0.1])"));
    const char* const p = u < 30 ? (u % 2 == 0 ? "[0.09]" : "[0.11]") : (u % 2 == 0 ? "[0.2]" : "[0.4]");
    lines.push_back(policy_line(1000 + u, user, "L" + user, p, u < 30 ? R"(,"predicted":[0.5],"expected":[0.5])" : ""));
  }
  const EngineResult result = run(lines);
  EXPECT_EQ(judged(result, "dr@3").refused, "predicted");
  EXPECT_NEAR(judged(result, "weight_mean@3").value.value_or(0), 2, 1e-6) << "(0.9 + 1.1 + 2 + 4) / 4";
  EXPECT_TRUE(judged(result, "ips@3").is_suspect);
  EXPECT_TRUE(judged(result, "dr@3").is_suspect) << "its weights are those of ips";
}

// A candidate is a policy without predictions; of 1 where 1e-9 was logged it weighs 1e9.
TEST_F(OffPolicyByHand, a_weight_beyond_bounds_is_told_before_predictions_that_are_missing) {
  spec_.metrics.requests = {{.name = "dr"}};
  const EngineResult result =
      run({list_line(1000, "u", "L1", {"a"}, R"(,"propensities":[1e-9])"), candidate_line(1000, "B", "u", "L1", {"a"}),
           list_line(2000, "v", "L2", {"a"}, R"(,"propensities":[0.5])"), candidate_line(2000, "B", "v", "L2", {"a"})});
  EXPECT_EQ(judged(result, "dr@3").refused, "weight");
}

TEST_F(OffPolicyByHand, replay_match_without_a_match_says_why_it_is_null) {
  spec_.off_policy->logging = OffPolicySpec::Logging::uniform;
  spec_.metrics.requests = {{.name = "replay_match"}, {.name = "matches"}, {.name = "ips"}};
  std::vector<std::string> lines{list_line(1000, "u", "L1", {"a", "b"}, shown), policy_line(1000, "u", "L1", "[1,0.5]")};
  EXPECT_EQ(told(run(lines)), "1 lists, replay_match@3 null, matches@3 0, ips@3 0;");
  for (const double least : {0.0, 1.0}) {
    spec_.off_policy->min_ess = least;
    EXPECT_EQ(judged(run(lines), "replay_match@3").refused, "ess");
  }
  spec_.off_policy->min_ess = 0;
  lines.push_back(list_line(2000, "v", "L2", {"a", "b"}, shown));
  lines.push_back(policy_line(2000, "v", "L2", "[1,1]"));
  EXPECT_EQ(told(run(lines)), "2 lists, replay_match@3 0, matches@3 1, ips@3 0;");
  EXPECT_EQ(judged(run(lines), "replay_match@3").refused, "");
}

// Of three ranks that B would never have shown the list weighs 1 + 3 * (0 - 1) = -2, of one rank 0.
TEST_F(OffPolicyByHand, the_share_of_the_largest_weight_is_whole_where_weights_do_not_sum_to_more_than_nothing) {
  spec_.off_policy->logging = OffPolicySpec::Logging::factored;
  const MetricOptions of_lists{.of = Estimator::pseudo_inverse};
  spec_.metrics.requests = {{.name = "max_weight_share", .as = "share", .options = of_lists},
                            {.name = "weight_mean", .as = "mean", .options = of_lists},
                            {.name = "ess", .as = "ess", .options = of_lists}};
  const std::string halves = R"(,"propensities":[0.5,0.5,0.5])";
  std::vector<std::string> lines{list_line(1000, "u", "L1", {"a", "b", "c"}, halves),
                                 policy_line(1000, "u", "L1", "[0,0,0]")};
  EXPECT_EQ(told(run(lines)), "1 lists, share@3 1, mean@3 -2, ess@3 1;");
  spec_.off_policy->max_weight_share = 0.99;
  spec_.metrics.requests.push_back({.name = "pseudo_inverse"});
  EXPECT_EQ(judged(run(lines), "pseudo_inverse@3").refused, "max_weight_share");
  spec_.metrics.requests.pop_back();
  lines = {list_line(1000, "u", "L1", {"a"}, R"(,"propensities":[0.5])"), policy_line(1000, "u", "L1", "[0]")};
  EXPECT_EQ(told(run(lines)), "1 lists, share@3 null, mean@3 0, ess@3 0;") << "all weights are 0";
}

// A list without items has no rank that weighs anything.
TEST_F(OffPolicyByHand, nothing_weighed_has_no_effective_lists_and_is_refused_as_too_few) {
  spec_.off_policy->min_ess = 1;
  const std::vector<std::string> lines{list_line(1000, "u", "L1", {}), policy_line(1000, "u", "L1", "[]")};
  const EngineResult result = run(lines);
  EXPECT_EQ(told(result), "1 lists, ips@3 null, weight_mean@3 null, ess@3 null;");
  EXPECT_EQ(judged(result, "ips@3").refused, "ess");
}

TEST_F(OffPolicyByHand, a_policy_is_checked_as_other_records_are) {
  const EngineResult result = run({
      list_line(1000, "u", "L1", {"a", "b"}, shown),
      policy_line(1000, "u", "L1", "[null,1]"),
      policy_line(1000, "u", "L1", "[-0.5,1]"),
      policy_line(1000, "u", "L1", "[1.5,1]"),
      policy_line(1000, "u", "L1", "[1,1]", R"(,"predicted":[1,1])"),
      policy_line(1000, "u", "L1", "[1,1]", R"(,"predicted":[1,1],"expected":[1])"),
      policy_line(1000, "u", "L1", "[1,1]", R"(,"predicted":[1,1.1e8],"expected":[1,1])"),
      R"({"type":"policy","ts":)" + std::to_string(zero_ms) + R"(,"recommender":"C"})",
  });
  EXPECT_EQ(result.report.events.invalid, 6U);
  EXPECT_EQ(result.report.events.ignored, 2U) << "of another recommender, and the tick";
  EXPECT_EQ(result.report.events.policies, 0U);
  EXPECT_EQ(told(result), "1 lists, ips@3 null, weight_mean@3 null, ess@3 null;");
}

TEST_F(OffPolicyByHand, policies_are_ignored_without_off_policy) {
  spec_.off_policy.reset();
  spec_.metrics.requests = {{.name = "precision"}};
  const EngineResult result =
      run({list_line(1000, "u", "L1", {"a", "b"}, shown), policy_line(1000, "u", "L1", "[0.5,0.25]")});
  EXPECT_EQ(result.report.events.ignored, 2U);
  EXPECT_EQ(result.report.lanes.size(), 1U);
  EXPECT_EQ(result.rows.size(), 1U);
}

}  // namespace
}  // namespace recmeter::support
