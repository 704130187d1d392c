// The join of the batch evaluator against cases worked out by hand from [S4].
#include <gtest/gtest.h>

#include "scripted_batch.h"

namespace recmeter::support {
namespace {

// With two lists of two items in the window and precision@2, each credited item adds 1/4.
ScriptedBatch two_lists(Credit credit) {
  EvaluatorSpec spec = small_spec();
  spec.join.credit = credit;
  spec.windows[0].size = spec.windows[0].slide = Duration{60000};  // each list in a minute of its own
  ScriptedBatch log(spec);
  log.list(0, "u", "l1", {"a", "b"}).list(60, "u", "l2", {"a", "c"}).feedback(90, "click", "u", "a").tick(9000);
  return log;
}

double first_minute(const BatchResult& result) {
  return value_of(result.rows.at(0), "precision@2");
}
double second_minute(const BatchResult& result) {
  return value_of(result.rows.at(1), "precision@2");
}

TEST(BatchJoin, last_touch_credits_the_latest_list) {
  const BatchResult result = two_lists(Credit::last_touch).run();
  EXPECT_EQ(first_minute(result), 0);
  EXPECT_EQ(second_minute(result), 0.5);
}

TEST(BatchJoin, first_touch_credits_the_earliest_list) {
  const BatchResult result = two_lists(Credit::first_touch).run();
  EXPECT_EQ(first_minute(result), 0.5);
  EXPECT_EQ(second_minute(result), 0);
}

TEST(BatchJoin, every_touch_credits_all_lists) {
  const BatchResult result = two_lists(Credit::every_touch).run();
  EXPECT_EQ(first_minute(result), 0.5);
  EXPECT_EQ(second_minute(result), 0.5);
  EXPECT_EQ(result.report.feedback.credited, 1U);  // one feedback, credited twice
}

TEST(BatchJoin, last_touch_tie_goes_to_the_greatest_list_id) {
  EvaluatorSpec spec = small_spec();
  spec.segments = {{.keys = {"v"}, .keep = {}}};
  const BatchResult result = ScriptedBatch(spec)
                                 .list(0, "u", "la", {"a"}, R"("segments":{"v":"A"})")
                                 .list(0, "u", "lb", {"a"}, R"("segments":{"v":"B"})")
                                 .feedback(1, "click", "u", "a")
                                 .run();
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(value_of(result.rows[1], "precision@2"), 0);
  EXPECT_EQ(value_of(result.rows[2], "precision@2"), 0.5);
}

TEST(BatchJoin, a_list_id_wins_over_the_credit_rule) {
  EvaluatorSpec spec = small_spec();
  spec.windows[0].size = spec.windows[0].slide = Duration{60000};
  const BatchResult result =
      ScriptedBatch(spec).list(0, "u", "l1", {"a"}).list(60, "u", "l2", {"a"}).feedback(90, "click", "u", "a", "l1").run();
  EXPECT_EQ(first_minute(result), 0.5);
  EXPECT_EQ(second_minute(result), 0);
}

TEST(BatchJoin, a_click_at_the_horizon_does_not_fit) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l", {"a"})
      .feedback(1800, "click", "u", "a")
      .feedback(1799.999, "click", "u", "a", "", R"("event_id":"e")");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.organic, 1U);
}

TEST(BatchJoin, early_feedback_fits_within_the_skew_only) {
  EvaluatorSpec spec = small_spec();
  spec.join.skew = Duration{2000};
  ScriptedBatch log(spec);
  log.feedback(8, "click", "u", "a").feedback(7.999, "click", "u", "b").list(10, "u", "l", {"a", "b"});
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.organic, 1U);
  EXPECT_EQ(value_of(whole_row(result), "precision@2"), 0.5);
}

EvaluatorSpec with_purchases() {
  EvaluatorSpec spec = small_spec();
  spec.join.actions.push_back({.name = "purchase", .gain = 3, .after = 0, .horizon = {}});
  return spec;
}

TEST(BatchJoin, a_purchase_needs_a_click_credited_to_the_same_list_before_it) {
  ScriptedBatch log(with_purchases());
  log.list(0, "u", "l", {"a", "b"})
      .feedback(5, "purchase", "u", "a")
      .feedback(6, "click", "u", "a")
      .feedback(7, "click", "u", "b");
  log.feedback(7, "purchase", "u", "b");  // [S4.5]: at the time of its click
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 3U);
  EXPECT_EQ(result.report.feedback.organic, 1U);
  EXPECT_EQ(whole_row(result).feedback.at(1).credited, 1U);
}

TEST(BatchJoin, a_purchase_follows_its_click_past_a_later_list) {
  ScriptedBatch log(with_purchases());
  log.list(0, "u", "l1", {"a"}).feedback(5, "click", "u", "a").list(10, "u", "l2", {"a"}).feedback(20, "purchase", "u", "a");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 2U);
}

TEST(BatchJoin, an_own_horizon_shortens_the_reach) {
  EvaluatorSpec spec = small_spec();
  spec.join.actions[0].horizon = Duration{10000};
  ScriptedBatch log(spec);
  log.list(0, "u", "l", {"a", "b"}).feedback(9.999, "click", "u", "a").feedback(10, "click", "u", "b", "l");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.unmatched, 1U);
}

TEST(BatchJoin, a_list_that_lacks_the_item_is_told_from_no_list) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l", {"a"})
      .feedback(1, "click", "u", "x", "l")
      .feedback(2, "click", "u", "x", "other")
      .feedback(3, "click", "v", "a", "l");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.not_in_list, 1U);
  EXPECT_EQ(result.report.feedback.unmatched, 2U);
}

TEST(BatchJoin, at_the_horizon_a_list_no_longer_lacks_or_misses_anything) {
  EvaluatorSpec spec = small_spec();
  spec.join.actions[0].horizon = Duration{10000};
  ScriptedBatch log(spec);
  log.list(0, "u", "l", {"a"}).feedback(1, "click", "u", "a").feedback(10, "click", "u", "x", "l");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.unmatched, 1U);
  EXPECT_EQ(value_of(whole_row(result), "recall@2"), 1);
}

TEST(BatchJoin, a_second_click_is_repeated) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l", {"a"}).feedback(1, "click", "u", "a").feedback(2, "click", "u", "a");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.repeated, 1U);
  EXPECT_EQ(whole_row(result).feedback.at(0).repeated, 1U);
}

TEST(BatchJoin, feedback_new_to_one_of_two_lists_is_credited_under_every_touch) {
  EvaluatorSpec spec = small_spec();
  spec.join.credit = Credit::every_touch;
  ScriptedBatch log(spec);
  log.list(0, "u", "l1", {"a"}).feedback(1, "click", "u", "a").list(2, "u", "l2", {"a"}).feedback(3, "click", "u", "a");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 2U);
  EXPECT_EQ(whole_row(result).feedback.at(0).credited, 2U);  // [S4.13]: triples
  EXPECT_EQ(whole_row(result).feedback.at(0).repeated, 1U);
}

TEST(BatchJoin, an_item_shown_twice_is_relevant_at_its_first_rank_only) {
  EvaluatorSpec spec = small_spec();
  spec.metrics.cutoffs = {1, 2};
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {"a", "a"}).feedback(1, "click", "u", "a").run();
  EXPECT_EQ(value_of(whole_row(result), "precision@1"), 1);
  EXPECT_EQ(value_of(whole_row(result), "precision@2"), 0.5);
}

TEST(BatchJoin, missed_items_count_against_recall_whatever_list_took_the_credit) {
  ScriptedBatch log(small_spec());
  // l1: a clicked, x missed though credited to l2; l2: x clicked, a missed though credited to l1 (at l2's own time).
  log.list(0, "u", "l1", {"a", "b"})
      .feedback(1, "click", "u", "a")
      .list(1, "u", "l2", {"x", "y"})
      .feedback(2, "click", "u", "x");
  const Row row = whole_row(log.run());
  EXPECT_EQ(value_of(row, "recall@2"), 0.5);
  EXPECT_EQ(value_of(row, "map_list@2"), 1);
}

TEST(BatchJoin, an_item_of_the_list_credited_elsewhere_is_not_missed) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l1", {"a", "b"})
      .list(1, "u", "l2", {"a", "c"})
      .feedback(2, "click", "u", "a")
      .feedback(3, "click", "u", "b");
  // l1: b of {b}; l2: a of {a, b missed}.
  EXPECT_EQ(value_of(whole_row(log.run()), "recall@2"), 0.75);
}

TEST(BatchJoin, gain_zero_is_counted_and_never_relevant) {
  EvaluatorSpec spec = small_spec();
  spec.join.actions[0].gain = 0;
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {"a"}).feedback(1, "click", "u", "a").run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(value_of(whole_row(result), "precision@2"), 0);
}

TEST(BatchJoin, placeholders_are_one_nobody_joined_by_list_id_alone) {
  EvaluatorSpec spec = small_spec();
  spec.join.key.not_users = {"0", "anonymous"};
  ScriptedBatch log(spec);
  log.list(0, "0", "l", {"a"})
      .feedback(1, "click", "anonymous", "a", "l")
      .feedback(2, "click", "0", "a")
      .feedback(3, "click", "0", "x", "l2");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
  EXPECT_EQ(result.report.feedback.organic, 1U);
  EXPECT_EQ(result.report.feedback.unmatched, 1U);
  EXPECT_EQ(value_of(whole_row(result), "recall@2"), 1);  // nothing is missed
}

TEST(BatchJoin, key_list_joins_across_users) {
  EvaluatorSpec spec = small_spec();
  spec.join.key.by = JoinKey::By::list;
  const BatchResult result = ScriptedBatch(spec).list(0, "u", "l", {"a"}).feedback(1, "click", "v", "a", "l").run();
  EXPECT_EQ(result.report.feedback.credited, 1U);
}

TEST(BatchJoin, a_longer_horizon_leaves_a_shorter_one_as_it_was) {
  EvaluatorSpec spec = small_spec();
  spec.join.horizons = {Duration{600000}, Duration{1800000}};
  ScriptedBatch log(spec);
  log.list(0, "u", "l1", {"a"}).list(300, "u", "l2", {"a"}).feedback(1000, "click", "u", "a");
  const BatchResult result = log.run();
  EXPECT_EQ(value_of(whole_row(result, 10), "precision@2"), 0);
  EXPECT_EQ(value_of(whole_row(result, 30), "precision@2"), 0.25);
}

TEST(BatchJoin, a_row_item_is_there_from_its_own_time) {
  ScriptedBatch log(small_spec());
  log.row(0, "u", "l", "a", 1)
      .feedback(1, "click", "u", "b", "l")
      .row(2, "u", "l", "b", 2)
      .feedback(2, "click", "u", "b", "l");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.feedback.not_in_list, 1U);
  EXPECT_EQ(result.report.feedback.credited, 1U);
}

}  // namespace
}  // namespace recmeter::support
