// Fates, duplicates and lists from rows against cases worked out by hand from [S3].
#include <gtest/gtest.h>

#include "scripted_batch.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

const EventCounts& counts(const BatchResult& result) {
  return result.report.events;
}

TEST(BatchLists, a_row_within_assemble_joins_and_one_after_it_is_a_duplicate) {
  ScriptedBatch log(small_spec());
  log.row(0, "u", "l", "a", 1).row(9.999, "u", "l", "b", 3).row(10, "u", "l", "c", 2);
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.lists, 1U);
  EXPECT_EQ(counts(result).impressions, 2U);
  EXPECT_EQ(counts(result).duplicate(), 1U);
}

TEST(BatchLists, a_row_at_a_taken_position_is_a_duplicate) {
  ScriptedBatch log(small_spec());
  log.row(0, "u", "l", "a", 1).row(1, "u", "l", "b", 1);
  EXPECT_EQ(counts(log.run()).duplicate(), 1U);
}

TEST(BatchLists, a_whole_impression_brings_what_is_new) {
  ScriptedBatch log(small_spec());
  log.row(0, "u", "l", "a", 1).list(1, "u", "l", {"b", "c"}).list(2, "u", "l", {"c", "a"});
  EXPECT_EQ(log.run().report.lists, 1U);
  EXPECT_EQ(counts(log.run()).impressions, 2U);
  EXPECT_EQ(counts(log.run()).duplicate(), 1U) << "the last one brings nothing";
}

TEST(BatchLists, duplicates_put_off_the_next_opening) {
  EvaluatorSpec spec = small_spec();
  spec.join.same_list = Duration{100000};
  ScriptedBatch log(spec);
  // 60 and 120 are each within 100 s of the one before; 220 is not.
  log.list(0, "u", "l", {"a"}).list(60, "u", "l", {"a"}).list(120, "u", "l", {"a"}).list(220, "u", "l", {"a"});
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.lists, 2U);
  EXPECT_EQ(counts(result).duplicate(), 2U);
}

TEST(BatchLists, of_impressions_at_one_time_the_first_in_canonical_bytes_opens) {
  EvaluatorSpec spec = small_spec();
  ScriptedBatch log(spec);
  log.list(0, "u", "l", {"b"}).list(0, "u", "l", {"a"}).feedback(1, "click", "u", "a");
  EXPECT_EQ(log.run().report.feedback.credited, 1U);
}

TEST(BatchLists, another_user_of_the_same_list_id_is_another_list) {
  ScriptedBatch log(small_spec());
  log.list(0, "u", "l", {"a"}).list(0, "v", "l", {"a"});
  EXPECT_EQ(log.run().report.lists, 2U);
}

TEST(BatchLists, feedback_equal_but_for_its_value_is_one_event) {
  ScriptedBatch log(small_spec());
  log.feedback(1, "click", "u", "a", "", R"("value":2)").feedback(1, "click", "u", "a", "", R"("value":1)");
  log.feedback(1, "click", "u", "a", "", R"("event_id":"e")").feedback(1, "click", "u", "a", "l");
  EXPECT_EQ(counts(log.run()).duplicate(), 1U);
  EXPECT_EQ(counts(log.run()).feedback, 3U);
}

TEST(BatchLists, a_basket_is_one_record_and_several_events) {
  ScriptedBatch log(small_spec());
  log.line(R"({"type":"click","ts":1700000000000,"user_id":"u","items":["a",{"item_id":"b","value":2},"a"]})");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.records, 1U);
  EXPECT_EQ(counts(result).read, 3U);
  EXPECT_EQ(counts(result).duplicate(), 1U);
}

TEST(BatchPartition, late_is_judged_against_the_newest_before_it) {
  ScriptedBatch log(small_spec());
  // The first 64 events set M_p to their smallest and are then judged in order.
  log.feedback(100, "click", "u", "a").feedback(40, "click", "u", "b").feedback(39.999, "click", "u", "c");
  const BatchResult result = log.run(60000);
  EXPECT_EQ(counts(result).late, 1U);
  EXPECT_EQ(counts(result).feedback, 2U);
  EXPECT_EQ(result.report.partitions[0].disorder.max.ms, 60001);
  EXPECT_EQ(result.report.partitions[0].watermark, (EventTime{hour_zero_ms + 40000}));
}

TEST(BatchPartition, ignored_events_move_time) {
  ScriptedBatch log(small_spec());
  log.tick(100).feedback(39, "click", "u", "a");
  EXPECT_EQ(counts(log.run(60000)).late, 1U);
}

EvaluatorSpec stepping() {
  EvaluatorSpec spec = small_spec();
  spec.time.max_step = Duration{3600000};
  return spec;
}

TEST(BatchPartition, a_held_event_is_future_once_an_honest_one_follows) {
  ScriptedBatch log(stepping());
  log.feedback(0, "click", "u", "a").feedback(7200, "click", "u", "b").feedback(1, "click", "u", "c");
  const BatchResult result = log.run(60000);
  EXPECT_EQ(counts(result).future, 1U);
  EXPECT_EQ(counts(result).feedback, 2U);
  EXPECT_EQ(counts(result).late, 0U);
}

TEST(BatchPartition, an_event_exactly_one_step_ahead_is_not_held) {
  ScriptedBatch log(stepping());
  log.feedback(0, "click", "u", "a").feedback(3600, "click", "u", "b").feedback(1, "click", "u", "c");
  EXPECT_EQ(counts(log.run(60000)).late, 1U);
}

// Of 63 events hours ahead and an ignored one, the first 64 timed events, an honest event that follows is late ...
TEST(BatchPartition, time_starts_at_the_smallest_of_the_first_sixty_four_timed_events) {
  ScriptedBatch log(stepping());
  for (int i = 0; i < 63; ++i) log.feedback(7200, "click", "u", "a" + std::to_string(i));
  log.tick(7200).feedback(0, "click", "u", "b");
  EXPECT_EQ(counts(log.run(60000)).late, 1U);
  EXPECT_EQ(counts(log.run(60000)).future, 0U);
}

// ... and when it is itself the 64th, the others are future.
TEST(BatchPartition, the_sixty_fourth_timed_event_still_counts_for_the_start) {
  ScriptedBatch log(stepping());
  for (int i = 0; i < 63; ++i) log.feedback(7200, "click", "u", "a" + std::to_string(i));
  log.feedback(0, "click", "u", "b");
  EXPECT_EQ(counts(log.run(60000)).late, 0U);
  EXPECT_EQ(counts(log.run(60000)).future, 63U);
}

TEST(BatchPartition, a_held_event_the_next_one_brings_near_is_accepted) {
  ScriptedBatch log(stepping());
  log.feedback(0, "click", "u", "a").feedback(3601, "click", "u", "b").feedback(10, "click", "u", "c");
  EXPECT_EQ(counts(log.run(60000)).future, 0U);
}

TEST(BatchPartition, at_the_end_of_the_file_time_really_moved_on) {
  ScriptedBatch log(stepping());
  log.list(0, "u", "l", {"a"}).feedback(7200, "click", "u", "b");
  const BatchResult result = log.run(60000);
  EXPECT_EQ(counts(result).future, 0U);
  EXPECT_EQ(counts(result).feedback, 1U);
  // [S3.16]: the last event time is the one before the release, so the window of hour zero is truncated.
  EXPECT_EQ(whole_row(result).stage, Stage::truncated);
}

TEST(BatchPartition, sixty_four_held_records_move_time) {
  ScriptedBatch log(stepping());
  for (int i = 0; i < 64; ++i) log.feedback(i, "click", "u", "a" + std::to_string(i));
  for (int i = 0; i < 64; ++i) log.feedback(7200 + i, "click", "u", "b" + std::to_string(i));
  log.feedback(63, "click", "u", "c");
  const BatchResult result = log.run(60000);
  EXPECT_EQ(counts(result).future, 0U);
  EXPECT_EQ(counts(result).late, 1U);
  EXPECT_EQ(counts(result).feedback, 128U);
}

TEST(BatchPartition, sixty_three_held_records_do_not) {
  ScriptedBatch log(stepping());
  for (int i = 0; i < 64; ++i) log.feedback(i, "click", "u", "a" + std::to_string(i));
  for (int i = 0; i < 63; ++i) log.feedback(7200 + i, "click", "u", "b" + std::to_string(i));
  log.line("nonsense").tick(9000).feedback(63, "click", "u", "c");
  EXPECT_EQ(counts(log.run(60000)).future, 63U);
}

TEST(BatchPartition, one_wrong_clock_at_the_beginning_is_future) {
  ScriptedBatch log(stepping());
  log.feedback(86400, "click", "u", "z");
  for (int i = 0; i < 64; ++i) log.feedback(i, "click", "u", "a" + std::to_string(i));
  const BatchResult result = log.run(60000);
  EXPECT_EQ(counts(result).future, 1U);
  EXPECT_EQ(counts(result).feedback, 64U);
}

TEST(BatchPartition, blank_lines_are_no_records_and_a_byte_order_mark_is_skipped) {
  ScriptedBatch log(small_spec());
  log.line("\xEF\xBB\xBF{\"type\":\"tick\"}").line("").line("\r").line("  ").line("{\"type\":\"tick\"}\r");
  const BatchResult result = log.run();
  EXPECT_EQ(result.report.records, 2U);
  EXPECT_EQ(counts(result).ignored, 2U);
  EXPECT_EQ(broken_identity(result.report), std::nullopt);
}

}  // namespace
}  // namespace recmeter::support
