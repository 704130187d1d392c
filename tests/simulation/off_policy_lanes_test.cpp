// Lanes that judge another policy by the lists that were shown: the engine against the batch evaluator on random logs with
// policies, and the laws of such lanes. A failure prints the seed (support/effort.h). docs/semantics.md, [S5.44], [S5.45].
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "recmeter/metric/registry.h"
#include "recmeter/result/render.h"
#include "simulation/engine_laws.h"
#include "support/batch_decoder.h"
#include "support/decoded.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/random_candidates.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

EvaluatorSpec random_policies(std::uint64_t seed) {
  EvaluatorSpec spec = with_lanes(with_whole_window(random_spec(seed), seed), seed);
  // Of the other metrics a few, which lanes_test.cpp has all of.
  std::vector<MetricRequest>& requests = spec.metrics.requests;
  if (requests.size() > 4) requests.erase(requests.begin() + 2, requests.end() - 2);
  std::erase_if(requests, [](const MetricRequest& request) { return request.name == "time_to"; });
  return with_off_policy(spec, seed);
}

// The hash of a lane's rule is looked at on its own. An interval of values that differ by their rounding alone may be there
// or not.
std::vector<Row> comparable(std::vector<Row> rows) {
  for (Row& row : rows) {
    row.config.clear();
    for (MetricValue& metric : row.metrics) {
      if (metric.se && *metric.se < 1e-9 * (1 + std::abs(metric.value.value_or(0)))) metric.ci.reset();
    }
  }
  return rows;
}

TEST(OffPolicyLanes, equal_the_batch_evaluator_on_random_logs) {
  for_each_seed(150, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_policies(seed);
    expect_the_batch_evaluators(seed, spec, random_log(seed, spec), comparable);
  });
}

TEST(OffPolicyLanes, give_the_same_bytes_however_a_run_is_cut_and_divided) {
  for_each_seed(20, 500, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_policies(seed);
    expect_the_same_however_cut_and_divided(seed, spec, orderly_log(seed, spec));
  });
}

// Of the lanes with this key, and of all or of one: their rows without the hash of the rule.
std::string rows_of(const EngineResult& result, const std::string& key, const std::string& recommender = "") {
  std::string bytes;
  for (Row row : result.rows) {
    if (row.segment.front().first != key) continue;
    if (!recommender.empty() && row.segment.front().second != recommender) continue;
    row.config.clear();
    bytes += render_json(row) + "\n";
  }
  return bytes;
}

TEST(OffPolicyLanes, depend_on_no_other_recommender_and_change_no_other_lane) {
  for_each_seed(30, 500, [](std::uint64_t seed) {
    EvaluatorSpec spec = random_policies(seed);
    spec.lanes.pairs = false;
    const RandomLog log = orderly_log(seed, spec);
    const EngineResult all = run_engine(spec, log.inputs, {.shards = 2});
    for (const std::string& name : spec.lanes.names) {
      EvaluatorSpec alone = spec;
      alone.lanes.names = {name};
      const EngineResult one = run_engine(alone, log.inputs, {.shards = 3});
      EXPECT_EQ(rows_of(one, "target_policy"), rows_of(all, "target_policy", name)) << "seed " << seed;
    }
    EvaluatorSpec without = spec;
    without.off_policy.reset();
    std::erase_if(without.metrics.requests,
                  [](const MetricRequest& request) { return judges_policy(*find_metric(request.name)); });
    const EngineResult lanes_alone = run_engine(without, log.inputs, {});
    EXPECT_EQ(rows_of(lanes_alone, "recommender"), rows_of(all, "recommender")) << "seed " << seed;
    EXPECT_EQ(rows_of(lanes_alone, "target_policy"), "");
    EXPECT_EQ(lanes_alone.report.events.policies, 0U);
  });
}

// 400 lists of 40 users with propensities, of which some are clicked; B's records as `of_b` makes them of a list's.
EngineResult judged_like(const std::function<std::string(const std::string& of_list)>& of_b, const char* propensities) {
  EvaluatorSpec spec;
  spec.name = "copies";
  spec.config_hash = "0000000000000000";
  spec.join.horizons = {Duration{10'000}};
  spec.join.actions = {{.name = "click", .gain = 2, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "hour", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
  spec.metrics.cutoffs = {3};
  for (const char* const name : {"ips", "ips_clipped", "snips", "pseudo_inverse"})
    spec.metrics.requests.push_back({.name = name});
  for (const char* const name : {"ess", "weight_mean"}) {
    spec.metrics.requests.push_back({.name = name, .as = name, .options = {.of = Estimator::snips}});
  }
  spec.lanes.names = {"B"};
  spec.off_policy = OffPolicySpec{.logging = OffPolicySpec::Logging::factored, .min_ess = 30};
  BatchInput input{.name = "log", .bytes = {}, .fields = native_fields()};
  Dice dice(5);
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::string user = "u" + std::to_string(i % 40);
    const std::string list = "L" + std::to_string(i);
    const std::string ranks = std::string(R"("propensities":[)") + (dice.percent(50) ? "0.5,0.25,0.125]" : "0.75,0.3,1]");
    const std::string of_list = std::string(propensities) == "none" ? "" : "," + ranks;
    input.bytes += list_line(i * 1000, user, list, {"a", "b", "c"}, of_list) + "\n";
    input.bytes += of_b(R"("ts":)" + std::to_string(zero_ms + i * 1000) + R"(,"recommender":"B","user_id":")" + user +
                        R"(","list_id":")" + list + R"(",)" + ranks) +
                   "\n";
    if (i % 3 == 0) input.bytes += feedback_line(i * 1000 + 10, "click", user, i % 2 == 0 ? "a" : "c", list) + "\n";
  }
  input.bytes += tick_line(3'700'000) + "\n";
  return run_engine(spec, std::vector{input}, {.shards = 3});
}

// 134 of 400 lists have a click, of gain 2.
TEST(OffPolicyLanes, of_the_policy_that_was_logged_give_the_plain_mean) {
  const EngineResult result =
      judged_like([](const std::string& same) { return R"({"type":"policy",)" + same + "}"; }, "logged");
  ASSERT_EQ(result.report.lanes.back().counts.judged, 400U);
  ASSERT_EQ(result.rows.back().segment.front().first, "target_policy");
  for (const MetricValue& metric : result.rows.back().metrics) {
    const double expected = metric.key.starts_with("ess") ? 400 : metric.key.starts_with("weight") ? 1 : 134.0 * 2 / 400;
    ASSERT_TRUE(metric.value) << metric.key;
    EXPECT_NEAR(*metric.value, expected, 1e-9) << metric.key;
  }
}

TEST(OffPolicyLanes, estimate_nothing_of_lists_without_propensities) {
  const EngineResult result =
      judged_like([](const std::string& same) { return R"({"type":"policy",)" + same + "}"; }, "none");
  EXPECT_EQ(result.report.lanes.back().counts.judged, 0U);
  EXPECT_EQ(result.report.lanes.back().counts.policies.joined, 400U);
  for (const MetricValue& metric : result.rows.back().metrics) EXPECT_FALSE(metric.value) << metric.key;
}

TEST(OffPolicyLanes, take_a_candidate_for_a_policy_that_is_certain) {
  const auto without_ranks = [](const std::string& record) { return record.substr(0, record.find(R"("propensities")")); };
  const EngineResult candidates = judged_like(
      [&](const std::string& record) {
        return R"({"type":"candidate",)" + without_ranks(record) + R"("items":["a","c","c"]})";
      },
      "logged");
  const EngineResult policies = judged_like(
      [&](const std::string& record) {
        return R"({"type":"policy",)" + without_ranks(record) + R"("propensities":[1,0,1]})";
      },
      "logged");
  EXPECT_EQ(candidates.report.lanes.back().counts.judged, 400U);
  EXPECT_EQ(rows_of(candidates, "target_policy"), rows_of(policies, "target_policy"));
}

}  // namespace
}  // namespace recmeter::support
