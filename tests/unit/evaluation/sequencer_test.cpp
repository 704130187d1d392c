#include "recmeter/evaluation/sequencer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/decoded.h"

namespace recmeter {
namespace {

using support::at;

// Partitions "0", "1", ... of these latenesses, without a future rule.
Sequencer sequencer(const std::vector<std::int64_t>& lateness, std::size_t shards = 1) {
  std::vector<Sequencer::PartitionSpec> specs;
  for (const std::int64_t ms : lateness) specs.push_back({std::to_string(specs.size()), Duration{ms}});
  return Sequencer(std::move(specs), TimeRule{.max_future_skew = {0}, .max_step = {0}}, shards);
}

// Clicks at these times, with one at the first time 64 times over in front where `started` is asked for.
std::shared_ptr<const EventBatch> clicks(const std::vector<std::int64_t>& times, bool started = true) {
  std::vector<std::string> lines(started ? 64 : 0, support::feedback_line(times.front(), "click", "u", "a"));
  for (const std::int64_t ms : times) lines.push_back(support::feedback_line(ms, "click", "u", "a"));
  return support::shared_decoded(lines, support::decoder_options({"click"}));
}

TEST(Watermark, is_nothing_until_each_partition_has_had_a_timed_event) {
  Sequencer s = sequencer({10, 10});
  s.read(0, clicks({1000}));
  EXPECT_EQ(s.watermark(), minus_infinity);
  s.read(1, clicks({500}));
  EXPECT_EQ(s.watermark(), at(490));
}

TEST(Watermark, is_the_smallest_of_each_partitions_clock_less_its_own_lateness) {
  Sequencer s = sequencer({10, 300});
  s.read(0, clicks({1000}));
  s.read(1, clicks({1200}));
  EXPECT_EQ(s.watermark(), at(900));
}

TEST(Watermark, goes_on_without_a_partition_that_has_ended) {
  Sequencer s = sequencer({10, 10});
  s.read(0, clicks({1000}));
  s.read(1, clicks({500}));
  s.end(1);
  EXPECT_EQ(s.watermark(), at(990));
}

TEST(Watermark, does_not_wait_for_a_partition_that_ended_without_events) {
  Sequencer s = sequencer({10, 10});
  s.read(0, clicks({1000}));
  s.end(1);
  EXPECT_EQ(s.watermark(), at(990));
}

TEST(Watermark, is_infinite_when_every_partition_has_ended) {
  Sequencer s = sequencer({10});
  s.read(0, clicks({1000}));
  s.end(0);
  EXPECT_EQ(s.watermark(), plus_infinity);
}

TEST(Watermark, never_moves_back) {
  Sequencer s = sequencer({10, 10});
  EventTime last = minus_infinity;
  for (int i = 0; i < 50; ++i) {
    const auto p = static_cast<std::size_t>(i * 7 % 2);
    s.read(p, clicks({1000 + i * 37 % 400}));
    EXPECT_GE(s.watermark(), last);
    last = s.watermark();
  }
}

TEST(Sequencer, reads_the_partition_with_the_smallest_clock_next_and_new_ones_first) {
  Sequencer s = sequencer({10, 10, 10});
  EXPECT_EQ(s.next_partition(), 0U);
  s.read(0, clicks({1000}));
  EXPECT_EQ(s.next_partition(), 1U);
  s.read(1, clicks({500}));
  EXPECT_EQ(s.next_partition(), 2U);
  s.read(2, clicks({700}));
  EXPECT_EQ(s.next_partition(), 1U);
  EXPECT_EQ(s.partitions_by_time(), (std::vector<std::size_t>{1, 2, 0}));
  s.end(1);
  EXPECT_EQ(s.partitions_by_time(), (std::vector<std::size_t>{2, 0}));
  s.end(2);
  s.end(0);
  EXPECT_EQ(s.next_partition(), Sequencer::none);
}

TEST(Sequencer, routes_no_event_from_before_the_watermark) {
  Sequencer s = sequencer({100, 0});
  s.read(0, clicks({1000}));
  s.read(1, clicks({1000}));
  EXPECT_EQ(s.watermark(), at(900));
  s.end(0);
  EXPECT_EQ(s.watermark(), at(1000));
  static_cast<void>(s.take_routed());
  s.read(1, clicks({999, 1000}, false));
  std::size_t routed = 0;
  const auto to_shards = s.take_routed();
  for (const RoutedBatch& batch : to_shards[0]) {
    for (const std::uint32_t event : batch.events) {
      EXPECT_GE(batch.batch->events()[event].ts, at(1000));
      ++routed;
    }
  }
  EXPECT_EQ(routed, 1U);
}

TEST(Sequencer, sends_every_user_to_the_shard_of_its_slot) {
  constexpr std::size_t shards = 7;
  Sequencer s = sequencer({1000}, shards);
  std::vector<std::string> lines;
  for (int i = 0; i < 2000; ++i)
    lines.push_back(support::feedback_line(i / 100, "click", "u" + std::to_string(i % 500), "a"));
  const auto batch = support::shared_decoded(lines, support::decoder_options({"click"}));
  s.read(0, batch);
  const auto routed = s.take_routed();
  ASSERT_EQ(routed.size(), shards);
  std::size_t events = 0;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    EXPECT_FALSE(routed[shard].empty()) << shard;
    for (const RoutedBatch& to : routed[shard]) {
      for (const std::uint32_t event : to.events) {
        EXPECT_EQ((batch->events()[event].key_hash >> 56) * shards / 256, shard);
        ++events;
      }
    }
  }
  EXPECT_EQ(events, lines.size());
  for (const auto& again : s.take_routed()) EXPECT_TRUE(again.empty()) << "taken once";
}

TEST(Sequencer, numbers_events_by_their_place_in_the_partition) {
  Sequencer s = sequencer({1000});
  s.read(0, clicks({0}));
  s.read(0, clicks({1, 2}, false));
  const auto routed = s.take_routed();
  ASSERT_EQ(routed[0].size(), 2U);
  EXPECT_EQ(routed[0][0].first_place, 0U);
  EXPECT_EQ(routed[0][1].first_place, 65U);
}

TEST(Sequencer, remembers_the_first_event_it_routed_and_the_end_of_the_log) {
  Sequencer s = sequencer({10, 10});
  EXPECT_EQ(s.log_start().first_event, plus_infinity);
  s.read(0, clicks({1000}));
  s.read(1, clicks({500, 2000}));
  EXPECT_EQ(s.log_start().first_event, at(500));
  EXPECT_EQ(s.log_start().first_after_cut, minus_infinity);
  EXPECT_EQ(s.log_end(), at(2000));
  s.end(1);
  EXPECT_EQ(s.log_end(), at(2000)) << "also of a partition that has ended";
}

TEST(Sequencer, remembers_where_partitions_begin_that_were_entered_in_the_middle) {
  Sequencer s({{"whole", Duration{10}, false}, {"cut", Duration{10}, true}, {"cut later", Duration{10}, true}},
              TimeRule{.max_future_skew = {0}, .max_step = {0}}, 1);
  s.read(0, clicks({5000}));
  EXPECT_EQ(s.log_start().first_after_cut, minus_infinity);
  s.read(1, clicks({300, 295, 200, 1000}));
  EXPECT_EQ(s.log_start().first_after_cut, at(295)) << "the one at 200 is late";
  s.read(2, clicks({700, 100}, false));
  EXPECT_EQ(s.log_start().first_after_cut, at(295)) << "not known yet";
  s.read(2, clicks({800, 790, 100}));
  EXPECT_EQ(s.log_start().first_after_cut, at(700));
}

TEST(Sequencer, knows_the_times_that_lost_records_may_have_had) {
  Sequencer s = sequencer({10, 10});
  s.read(0, clicks({1000}));
  s.lose(0);
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), plus_infinity}})) << "until an event follows";
  s.read(0, clicks({1500, 4000}, false));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), at(1510)}})) << "the first event that follows ends it";
  s.lose(0);
  s.read(0, clicks({3000}, false));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), at(1510)}, {at(3990), at(4010)}}))
      << "one that is older than what was read before tells nothing more";
  s.lose(0);
  s.read(0, clicks({5000}, false));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), at(1510)}, {at(3990), at(5010)}})) << "they touch";

  Sequencer later = sequencer({10, 10});
  later.go_on_from(s.state());
  EXPECT_EQ(later.log_start().lost, s.log_start().lost) << "a run that goes on knows it too";
  s.forget_marks(at(1511));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(3990), at(5010)}}));
}

class OfUnknownSchema : public RecordReader {
 public:
  void begin(const RecordBatch& /*records*/) override {}
  std::optional<InvalidReason> read(const RecordBatch& /*records*/, std::size_t /*index*/, RecordArena& /*arena*/,
                                    FieldValue& /*value*/) override {
    return InvalidReason::unknown_schema;
  }
};

TEST(Sequencer, takes_a_record_of_an_unknown_schema_for_a_lost_one) {
  DecoderOptions options = support::decoder_options({"click"});
  options.fields.shape = shape_of(FieldTable::native());
  options.reader = [](const WantedFields& /*wanted*/) { return std::make_unique<OfUnknownSchema>(); };
  Sequencer s = sequencer({10});
  s.read(0, clicks({1000}));
  s.read(0, support::shared_decoded({"?", "?"}, options));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), plus_infinity}}));
  s.read(0, clicks({1500}, false));
  EXPECT_EQ(s.log_start().lost, (std::vector<TimeSpan>{{at(990), at(1510)}}));
  EXPECT_EQ(s.report()[0].events.invalid, 2U);
}

TEST(Sequencer, takes_a_loss_before_the_first_event_for_a_later_beginning) {
  Sequencer s = sequencer({10});
  s.lose(0);
  s.read(0, clicks({1000}));
  EXPECT_TRUE(s.log_start().lost.empty());
  EXPECT_EQ(s.log_start().first_after_cut, at(1000));
}

TEST(Sequencer, counts_every_event_and_record_of_a_partition) {
  Sequencer s = sequencer({10});
  s.read(0, clicks({1000}));
  s.read(0, support::shared_decoded({"{broken", support::tick_line(1000), support::feedback_line(1, "click", "u", "a"),
                                     R"({"type":"click","ts":1699999200000,"user_id":"u","items":["a","b"]})"},
                                    support::decoder_options({"click"})));
  const PartitionReport report = s.report().front();
  EXPECT_EQ(report.records, 65U + 4U);
  EXPECT_EQ(report.events.read, 65U + 5U);
  EXPECT_EQ(report.events.invalid, 1U);
  EXPECT_EQ(report.events.ignored, 1U);
  EXPECT_EQ(report.events.late, 3U);
  EXPECT_EQ(report.watermark, at(990));
  EXPECT_EQ(report.disorder.max, Duration{1000});
  EXPECT_EQ(s.invalid_reasons()[static_cast<std::size_t>(InvalidReason::not_json)], 1U);
}

// [S3.34]
TEST(Sequencer, counts_further_lines_of_a_basket_as_duplicates_where_they_are_not_late) {
  const auto basket = [](std::int64_t ms) {
    return R"({"type":"click","user_id":"u","items":["a","b","a","a"],"ts":)" + std::to_string(support::zero_ms + ms) + "}";
  };
  Sequencer s = sequencer({10});
  s.read(0, clicks({1000}));
  const auto before = s.report().front().events;
  static_cast<void>(s.take_routed());
  s.read(0, support::shared_decoded({basket(1000), basket(900)}, support::decoder_options({"click"})));
  const EventCounts after = s.report().front().events;
  EXPECT_EQ(after.read - before.read, 8U);
  EXPECT_EQ(after.late - before.late, 4U);
  EXPECT_EQ(after.duplicate(DuplicateReason::line), 2U);
  EXPECT_EQ(after.duplicate(), 2U);
  std::size_t routed = 0;
  for (const auto& of_shard : s.take_routed()) {
    for (const RoutedBatch& batch : of_shard) routed += batch.events.size();
  }
  EXPECT_EQ(routed, 2U);
}

// What a bounded replay would have taken: the partition waits for nobody there.
TEST(Sequencer, counts_and_marks_what_is_late_only_since_others_went_on) {
  Sequencer s = sequencer({10, 10});
  s.read(0, clicks({1000}));
  s.read(1, clicks({500}));
  s.set_idle(1, true);
  s.read(0, clicks({9000}, false));
  ASSERT_EQ(s.watermark(), at(8990));
  s.read(1, clicks({8989, 8991, 400}, false));
  const EventCounts counts = s.report()[1].events;
  EXPECT_EQ(counts.late, 2U);
  EXPECT_EQ(counts.late_after_idle, 1U) << "what is late for its own partition is late anyhow";
  EXPECT_EQ(s.log_start().late_after_idle, (std::vector<TimeSpan>{{at(8989), at(8989)}}));

  Sequencer again = sequencer({10, 10});
  again.go_on_from(s.state());
  EXPECT_EQ(again.log_start().late_after_idle, s.log_start().late_after_idle);
  EXPECT_EQ(again.report()[1].events, s.report()[1].events);
  again.forget_marks(at(8990));
  EXPECT_TRUE(again.log_start().late_after_idle.empty());
}

TEST(Sequencer, counts_and_marks_what_is_future_only_by_the_readers_clock) {
  Sequencer s({{"0", Duration{10}}}, TimeRule{.max_future_skew = {50}, .max_step = {0}}, 1);
  const auto at_broker = [](std::int64_t ts, std::int64_t broker) {
    return support::shared_decoded({support::feedback_line(ts, "click", "u", "a")}, support::decoder_options({"click"}),
                                   at(broker));
  };
  s.read(0, at_broker(1000, 1000), at(1000));
  s.read(0, at_broker(1051, 1050), at(1000));
  s.read(0, at_broker(1060, 1051), at(1000));  // the broker's clock is ahead of the reader's by more than the skew
  s.read(0, at_broker(1151, 1050), at(1000));  // the event's ahead of the broker's
  EXPECT_EQ(s.report()[0].events.future, 2U);
  EXPECT_EQ(s.report()[0].events.future_by_clock, 1U);
  EXPECT_EQ(s.log_start().future_by_clock, (std::vector<TimeSpan>{{at(1060), at(1060)}}));
  EXPECT_EQ(s.max_time(0), at(1051));

  Sequencer again({{"0", Duration{10}}}, TimeRule{.max_future_skew = {50}, .max_step = {0}}, 1);
  again.go_on_from(s.state());
  EXPECT_EQ(again.log_start().future_by_clock, s.log_start().future_by_clock);
}

TEST(Sequencer, counts_events_still_held_as_undecided) {
  Sequencer s = sequencer({10});
  s.read(0, clicks({1000}, false));
  EXPECT_EQ(s.report().front().events.undecided, 1U);
  s.end(0);
  EXPECT_EQ(s.report().front().events.undecided, 0U);
}

}  // namespace
}  // namespace recmeter
