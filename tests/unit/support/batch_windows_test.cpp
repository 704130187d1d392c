// Windows, segments and stages against cases worked out by hand from [S7] and [S8].
#include <gtest/gtest.h>

#include "scripted_batch.h"

namespace recmeter::support {
namespace {

TEST(BatchWindows, a_list_belongs_to_each_rolling_window_that_holds_its_time) {
  EvaluatorSpec spec = small_spec();
  spec.windows = {{.name = "rolling", .size = {180000}, .slide = {60000}, .offset = {0}}};
  const BatchResult result = ScriptedBatch(spec).list(60, "u", "l", {"a"}).run();
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows[0].start.ms, hour_zero_ms - 60000);
  EXPECT_EQ(result.rows[2].start.ms, hour_zero_ms + 60000);
  EXPECT_EQ(result.rows[0].incomplete, std::vector<std::string>{"start"});
  EXPECT_TRUE(result.rows[2].incomplete.empty());
}

TEST(BatchWindows, starts_are_shifted_by_the_offset) {
  EvaluatorSpec spec = small_spec();
  spec.windows[0].offset = Duration{600000};
  const BatchResult result = ScriptedBatch(spec).list(599, "u", "l", {"a"}).run();
  EXPECT_EQ(result.rows.at(0).start.ms, hour_zero_ms - 3000000);
}

TEST(BatchWindows, final_rows_come_by_end_and_horizon_and_truncated_ones_after_them) {
  EvaluatorSpec spec = small_spec();
  spec.join.horizons = {Duration{1800000}, Duration{60000}};
  spec.windows = {{.name = "hour", .size = {3600000}, .slide = {3600000}, .offset = {0}},
                  {.name = "minute", .size = {60000}, .slide = {60000}, .offset = {0}}};
  // Ends: minute +60, hour +3600. Last event time 3660: final are minute/1m (120), minute/30m (1860), hour/1m (3660).
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {"a"}).tick(3660).run();
  ASSERT_EQ(result.rows.size(), 4U);
  EXPECT_EQ(result.rows[0].window + std::to_string(result.rows[0].horizon.ms), "minute60000");
  EXPECT_EQ(result.rows[1].window + std::to_string(result.rows[1].horizon.ms), "minute1800000");
  EXPECT_EQ(result.rows[2].window + std::to_string(result.rows[2].horizon.ms), "hour60000");
  EXPECT_EQ(result.rows[2].stage, Stage::final);
  EXPECT_EQ(result.rows[3].stage, Stage::truncated);
  EXPECT_EQ(result.rows[3].matured, 1);  // its one list has had its 30 minutes
  EXPECT_EQ(result.report.rows_final, 3U);
  EXPECT_EQ(result.report.rows_truncated, 1U);
}

TEST(BatchWindows, matured_is_the_share_of_lists_whose_horizon_has_passed) {
  const BatchResult result = ScriptedBatch(small_spec()).list(0, "u", "l1", {"a"}).list(1, "u", "l2", {"a"}).tick(1800).run();
  EXPECT_EQ(whole_row(result).matured, 0.5);
}

TEST(BatchWindows, values_beyond_the_limit_are_other_but_for_those_kept) {
  EvaluatorSpec spec = small_spec();
  spec.segments = {{.keys = {"v"}, .keep = {{"z"}}}};
  spec.limits.segment_values = 2;
  ScriptedBatch log(spec);
  for (const std::string value : {"d", "z", "c", "b"}) {
    log.list(0, "u", "l" + value, {"a"}, R"("segments":{"v":")" + value + "\"}");
  }
  log.list(0, "u", "none", {"a"});
  const BatchResult result = log.run();
  std::vector<std::string> shown;
  for (std::size_t i = 1; i < result.rows.size(); ++i) {
    shown.push_back(result.rows[i].segment.at(0).second + std::to_string(result.rows[i].lists));
  }
  // Ascending others: (none), b | c, d. Kept: z.
  EXPECT_EQ(shown, (std::vector<std::string>{"(none)1", "(other)2", "b1", "z1"}));
}

TEST(BatchWindows, a_value_that_looks_like_a_reserved_one_is_marked) {
  EvaluatorSpec spec = small_spec();
  spec.segments = {{.keys = {"v", "w"}, .keep = {}}};
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {"a"}, R"j("segments":{"v":"(none)","w":"\\x"})j").run();
  EXPECT_EQ(result.rows.at(1).segment.at(0).second, "\\(none)");
  EXPECT_EQ(result.rows.at(1).segment.at(1).second, "\\\\x");
}

TEST(BatchWindows, numbers_of_segments_stand_as_in_the_record) {
  EvaluatorSpec spec = small_spec();
  spec.segments = {{.keys = {"v", "w"}, .keep = {}}};
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {}, R"("segments":{"v":1.50e2,"w":-0})").run();
  EXPECT_EQ(result.rows.at(1).segment.at(0).second, "1.50e2");
  EXPECT_EQ(result.rows.at(1).segment.at(1).second, "-0");
}

TEST(BatchWindows, coverage_counts_items_of_the_top_k_once) {
  EvaluatorSpec spec = small_spec();
  spec.metrics.requests.clear();
  for (const char* name : {"distinct_items", "catalog_coverage", "empty_list_share", "short_list_share"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
  }
  spec.catalog = Catalog{.size = 4, .items = {"a", "b", "y", "z"}, .content_hash = 0};
  ScriptedBatch log(spec);
  log.list(0, "u", "l1", {"a", "c", "z"}).list(0, "u", "l2", {"b"}).list(0, "u", "l3", {}).list(0, "u", "l4", {"a", "a"});
  const Row row = whole_row(log.run());
  EXPECT_EQ(value_of(row, "distinct_items@2"), 3);
  EXPECT_EQ(value_of(row, "catalog_coverage@2"), 0.5);
  EXPECT_EQ(value_of(row, "empty_list_share"), 0.25);
  EXPECT_EQ(value_of(row, "short_list_share@2"), 0.5);
  EXPECT_FALSE(row.metrics[3].has_evidence);
}

TEST(BatchWindows, too_many_distinct_items_are_null_and_said) {
  EvaluatorSpec spec = small_spec();
  spec.metrics.cutoffs = {1, 2};
  spec.metrics.requests = {{.name = "distinct_items", .as = "seen", .options = {}}};
  spec.limits.distinct_items = 1;
  const Row row = whole_row(ScriptedBatch(spec).list(0, "u", "l", {"a", "b"}).run());
  EXPECT_EQ(value_of(row, "seen@1"), 1);
  EXPECT_FALSE(row.metrics[1].value.has_value());
  EXPECT_EQ(row.incomplete, std::vector<std::string>{"distinct_items"});
}

// Grades 3, 0, 1 at ranks 1-3, and one missed item of grade 3.
TEST(BatchMetrics, one_graded_list_worked_out_by_hand) {
  EvaluatorSpec spec = small_spec();
  spec.join.actions.push_back({.name = "purchase", .gain = 3, .after = {}, .horizon = {}});
  spec.metrics.requests.clear();
  for (const char* name : {"mrr", "map_list", "map_user", "ndcg_list", "ndcg_user", "recall", "f1", "fbeta", "hit_rate"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
  }
  spec.metrics.requests.push_back({.name = "ndcg_list", .as = "exp", .options = {.gain = GainKind::exp2}});
  spec.metrics.requests.push_back({.name = "map_list", .as = "apk", .options = {.ap_denominator = ApDenominator::k}});
  spec.metrics.cutoffs = {5};
  ScriptedBatch log(spec);
  log.list(0, "u", "l", {"x", "y", "z"}).feedback(1, "purchase", "u", "x").feedback(2, "click", "u", "z");
  log.feedback(3, "purchase", "u", "q");
  const Row row = whole_row(log.run());
  const double log3 = 1.584962500721156;
  EXPECT_NEAR(value_of(row, "mrr@5"), 1, 1e-9);
  EXPECT_NEAR(value_of(row, "map_list@5"), (1 + 2.0 / 3) / 2, 1e-9);
  EXPECT_NEAR(value_of(row, "map_user@5"), (1 + 2.0 / 3) / 3, 1e-9);
  EXPECT_NEAR(value_of(row, "ndcg_list@5"), 3.5 / (3 + 1 / log3), 1e-9);
  EXPECT_NEAR(value_of(row, "ndcg_user@5"), 3.5 / (3 + 3 / log3 + 0.5), 1e-9);
  EXPECT_NEAR(value_of(row, "recall@5"), 2.0 / 3, 1e-9);
  EXPECT_NEAR(value_of(row, "f1@5"), 0.5, 1e-9);  // P = 2/5, R = 2/3
  EXPECT_NEAR(value_of(row, "fbeta@5"), 5 * 0.4 * (2.0 / 3) / (4 * 0.4 + 2.0 / 3), 1e-9);
  EXPECT_NEAR(value_of(row, "hit_rate@5"), 1, 1e-9);
  EXPECT_NEAR(value_of(row, "exp@5"), 7.5 / (7 + 1 / log3), 1e-9);
  EXPECT_NEAR(value_of(row, "apk@5"), (1 + 2.0 / 3) / 5, 1e-9);
}

TEST(BatchMetrics, lists_without_evidence_count_in_the_mean) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l1", {"a"}).list(0, "v", "l2", {"a"}).feedback(1, "click", "u", "a");
  const MetricValue precision = whole_row(log.run()).metrics[0];
  EXPECT_EQ(precision.value, 0.25);
  EXPECT_EQ(precision.relevant_share, 0.5);
  EXPECT_EQ(precision.given_relevant, 0.5);
  EXPECT_FALSE(precision.ci.has_value());
}

}  // namespace
}  // namespace recmeter::support
