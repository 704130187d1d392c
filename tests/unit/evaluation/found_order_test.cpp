// What a partition's order says before it is sorted, and what its clock says when it has been. [S3.26] to [S3.30].
#include "recmeter/evaluation/found_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/decoded.h"

namespace recmeter {
namespace {

using support::at;

constexpr std::int64_t day = 86'400'000;

std::string click(std::int64_t ms) {
  return support::feedback_line(ms, "click", "u", "a");
}

std::shared_ptr<const EventBatch> batch_of(const std::vector<std::string>& lines) {
  return support::shared_decoded(lines, support::decoder_options({"click"}), std::nullopt);
}

FoundOrder order_of(const std::vector<std::string>& lines) {
  FoundOrder order(Duration{100}, TimeRule{.max_future_skew = {50}, .max_step = {1000}});
  order.read(batch_of(lines));
  order.end();
  return order;
}

TEST(FoundOrder, keys_are_times_and_records_without_one_stay_behind_the_record_before) {
  FoundOrder order(Duration{100}, TimeRule{});
  const std::string invalid = R"({"type":"click","ts":)" + std::to_string(support::zero_ms + 7) + "}";
  EXPECT_EQ(order.read(batch_of({"x", click(5), "x", invalid, support::tick_line(3), R"({"type":"tick"})"})),
            (std::vector<EventTime>{minus_infinity, at(5), at(5), at(5), at(3), at(3)}));
  EXPECT_EQ(order.read(batch_of({"x", click(1)})), (std::vector<EventTime>{at(3), at(1)})) << "also in the next block";
}

TEST(FoundOrder, has_late_events_where_the_rule_of_lateness_says_so) {
  EXPECT_FALSE(order_of({click(200), click(100), click(150)}).has_late()) << "as late as is allowed";
  EXPECT_TRUE(order_of({click(200), click(99), click(400), click(150)}).has_late());
  EXPECT_FALSE(order_of({click(0), click(9000), click(1)}).has_late()) << "9000 is a wrong clock";
}

TEST(FoundOrder, reports_disorder_and_invalid_records_as_they_were_found) {
  const SortedOrder order = order_of({click(50), "x", click(0)}).order();
  EXPECT_EQ(order.found.max, Duration{50});
  ASSERT_EQ(order.samples.size(), 1U);
  EXPECT_EQ(order.samples.front().reason, InvalidReason::not_json);
}

std::vector<std::string> days(int count) {
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) lines.push_back(click(i));
  return lines;
}

TEST(FoundOrder, few_events_beyond_a_gap_of_a_week_are_wrong_clocks) {
  for (const int beyond : {1, 63, 64}) {
    std::vector<std::string> lines = days(70'000);
    for (int i = 0; i < beyond; ++i) {
      lines.push_back(click(8 * day + i));
      lines.push_back(click(-8 * day - i));
    }
    const TimeSpan clocks = order_of(lines).order().clocks;
    EXPECT_EQ(clocks.from, beyond < 64 ? at(0) : minus_infinity) << beyond;
    EXPECT_EQ(clocks.to, beyond < 64 ? at(69'999) : plus_infinity) << beyond;
  }
}

TEST(FoundOrder, a_thousandth_or_a_gap_of_no_more_than_a_week_is_the_log) {
  std::vector<std::string> lines = days(999);
  lines.push_back(click(8 * day));
  EXPECT_EQ(order_of(lines).order().clocks.to, plus_infinity) << "one of 1000";
  lines.push_back(click(500));
  EXPECT_EQ(order_of(lines).order().clocks.to, at(998)) << "one of 1001";
  lines = days(5000);
  lines.push_back(click(4999 + 7 * day));
  EXPECT_EQ(order_of(lines).order().clocks.to, plus_infinity) << "seven days are no gap";
  lines.push_back(click(5000 + 14 * day));
  EXPECT_EQ(order_of(lines).order().clocks.to, at(4999 + 7 * day));
}

TEST(FoundOrder, broker_times_tell_clocks_themselves) {
  FoundOrder order(Duration{100}, TimeRule{});
  std::vector<std::string> lines = days(5000);
  lines.push_back(click(80 * day));
  order.read(support::shared_decoded(lines, support::decoder_options({"click"}), at(90 * day)));
  order.end();
  EXPECT_EQ(order.order().clocks.to, plus_infinity);
}

// The clock of a sorted partition.
class SortedClock : private FateSink {
 public:
  SortedClock& read(const std::vector<std::string>& lines) {
    const auto batch = batch_of(lines);
    clock.read({batch, place_}, minus_infinity, *this);
    place_ += batch->events().size();
    return *this;
  }
  void end() { clock.end(minus_infinity, *this); }

  PartitionClock clock{Duration{100}, TimeRule{.max_future_skew = {50}, .max_step = {1000}},
                       TimeSpan{.from = at(0), .to = at(50'000)}};
  std::string fates;

 private:
  void decided(const PlacedBatch& batch, std::uint32_t event, Fate fate) override {
    fates += fate == Fate::undecided ? "ok " : std::string(to_string(fate)) + " ";
    if (fate == Fate::late) fates += clock.is_late_by_watermark(batch.batch->events()[event]) ? "W " : "";
  }
  std::uint64_t place_ = 0;
};

TEST(SortedClock, knows_no_step_too_long_and_wrong_clocks_at_the_ends_alone) {
  SortedClock sorted;
  sorted.read({click(-9000), click(0), "x", click(40'000), support::tick_line(90'000), click(90'000)});
  sorted.end();
  EXPECT_EQ(sorted.fates, "late ok invalid ok ignored future ");
  EXPECT_EQ(sorted.clock.max_time(), at(40'000));
  EXPECT_EQ(sorted.clock.log_end(), at(40'000));
  EXPECT_EQ(sorted.clock.min_time(), at(0));
  EXPECT_EQ(sorted.clock.held_events(), 0U);
}

}  // namespace
}  // namespace recmeter
