// Every sentence of the future rule of [S3], also for plain files ([S3.11] to [S3.16]).
#include "recmeter/evaluation/partition_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/decoded.h"
#include "support/dice.h"

namespace recmeter {
namespace {

using support::at;

constexpr std::int64_t step = 1000;  // max_step
constexpr std::int64_t lateness = 100;

std::string click(std::int64_t ms) {
  return support::feedback_line(ms, "click", "u", "a");
}

std::string basket(std::int64_t ms, int items) {
  std::string line = R"({"type":"click","ts":)" + std::to_string(support::zero_ms + ms) + R"(,"user_id":"u","items":[)";
  for (int i = 0; i < items; ++i) line += (i > 0 ? ",\"x" : "\"x") + std::to_string(i) + "\"";
  return line + "]}";
}

// One partition, fed in batches; its decisions in the order in which they were made.
class Clock : private FateSink {
 public:
  explicit Clock(std::int64_t max_step = step)
      : clock_(Duration{lateness}, TimeRule{.max_future_skew = {50}, .max_step = {max_step}}) {}

  Clock& read(const std::vector<std::string>& lines, std::optional<EventTime> broker_time = std::nullopt) {
    const auto batch = support::shared_decoded(lines, support::decoder_options({"click"}), broker_time);
    clock_.read({batch, place_}, watermark_, *this);
    place_ += batch->events().size();
    return *this;
  }
  // `count` clicks at 0: enough for M_p to stand at 0.
  Clock& started() {
    read(std::vector<std::string>(64, click(0)));
    EXPECT_EQ(clock_.max_time(), at(0));
    decisions_.clear();
    place_ = 0;
    return *this;
  }
  Clock& end() {
    clock_.end(watermark_, *this);
    return *this;
  }
  void watermark(std::int64_t ms) { watermark_ = at(ms); }

  // (place, fate) as text: "0:ok 2:late 1:future".
  [[nodiscard]] std::string decisions() const {
    std::string text;
    for (const auto& [place, fate] : decisions_) {
      text += (text.empty() ? "" : " ") + std::to_string(place) + ":" +
              (fate == Fate::undecided ? "ok" : std::string(to_string(fate)));
    }
    return text;
  }
  [[nodiscard]] std::size_t count(Fate fate) const {
    return static_cast<std::size_t>(
        std::count_if(decisions_.begin(), decisions_.end(), [&](const auto& d) { return d.second == fate; }));
  }
  [[nodiscard]] std::int64_t max_time() const { return clock_.max_time().value().ms - support::zero_ms; }
  [[nodiscard]] const PartitionClock& clock() const { return clock_; }

 private:
  void decided(const PlacedBatch& batch, std::uint32_t event, Fate fate) override {
    decisions_.emplace_back(batch.first_place + event, fate);
  }

  PartitionClock clock_;
  EventTime watermark_ = minus_infinity;
  std::uint64_t place_ = 0;
  std::vector<std::pair<std::uint64_t, Fate>> decisions_;
};

TEST(FirstEvents, decide_nothing_before_there_are_64) {
  Clock clock;
  clock.read(std::vector<std::string>(63, click(5)));
  EXPECT_EQ(clock.clock().max_time(), std::nullopt);
  EXPECT_EQ(clock.clock().watermark(), std::nullopt);
  EXPECT_EQ(clock.clock().held_events(), 63U);
  EXPECT_EQ(clock.decisions(), "");
  clock.read({click(5)});
  EXPECT_EQ(clock.max_time(), 5);
  EXPECT_EQ(clock.clock().held_events(), 0U);
  EXPECT_EQ(clock.count(Fate::undecided), 64U);
}

TEST(FirstEvents, start_the_clock_at_their_smallest_time) {
  Clock clock;
  clock.read({click(10'000'000), click(0)}).read(std::vector<std::string>(62, click(1)));
  EXPECT_EQ(clock.max_time(), 1) << "the first was a wrong clock";
  EXPECT_EQ(clock.count(Fate::future), 1U);
  EXPECT_EQ(clock.count(Fate::late), 0U);
}

TEST(FirstEvents, are_judged_in_their_order) {
  Clock clock;
  clock.read({click(0), click(500), click(399), click(400)}).end();
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok 2:late 3:ok");
}

TEST(FirstEvents, are_all_of_a_shorter_file) {
  Clock clock;
  clock.read({click(7), click(3)}).end();
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok");
  EXPECT_EQ(clock.max_time(), 7);
}

TEST(FirstEvents, are_counted_as_events_of_whole_records) {  // [S3.15]
  Clock clock;
  clock.read({basket(0, 63)});
  EXPECT_EQ(clock.clock().max_time(), std::nullopt);
  clock.read({basket(0, 5)});
  EXPECT_EQ(clock.count(Fate::undecided), 68U);
}

TEST(FirstEvents, include_ignored_ones_with_a_time_in_their_place) {
  Clock clock;
  clock.read(std::vector<std::string>(63, click(200))).read({support::tick_line(100)});
  EXPECT_EQ(clock.count(Fate::undecided), 63U);
  EXPECT_EQ(clock.count(Fate::ignored), 1U);
  EXPECT_EQ(clock.max_time(), 200);
}

TEST(FirstEvents, leave_out_what_has_no_time) {
  Clock clock;
  clock.read(std::vector<std::string>(63, click(0))).read({"{broken", R"({"type":"tick"})"});
  EXPECT_EQ(clock.clock().max_time(), std::nullopt);
}

TEST(Late, is_what_lies_behind_the_clock_by_more_than_the_lateness) {
  Clock clock;
  clock.started().read({click(500), click(400), click(399)});
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok 2:late");
}

TEST(Late, is_what_lies_before_the_watermark_too) {
  Clock clock;
  clock.started().watermark(50);
  clock.read({click(50), click(49)});
  EXPECT_EQ(clock.decisions(), "0:ok 1:late");
}

TEST(Late, moves_nothing) {  // [S3.9]
  Clock clock;
  clock.started().read({click(500), click(0)});
  EXPECT_EQ(clock.max_time(), 500);
}

TEST(Held, is_what_lies_more_than_max_step_ahead) {
  Clock clock;
  clock.started().read({click(step), click(2 * step + 1)});
  EXPECT_EQ(clock.decisions(), "0:ok") << "exactly max_step ahead is not held";
  EXPECT_EQ(clock.clock().held_events(), 1U);
  EXPECT_EQ(clock.max_time(), step);
}

TEST(Held, is_future_when_a_following_event_is_not_so_far_ahead) {
  Clock clock;
  clock.started().read({click(5000), click(9), click(10)});
  EXPECT_EQ(clock.decisions(), "1:ok 0:future 2:ok");
  EXPECT_EQ(clock.max_time(), 10) << "what is future moves nothing";
}

TEST(Held, is_judged_anew_when_the_clock_has_come_near) {
  Clock clock;
  clock.started().read({click(1500), click(5000), click(1450), click(600)});
  EXPECT_EQ(clock.decisions(), "3:ok 1:future 0:ok 2:ok") << "future ones first, the others in their order";
  EXPECT_EQ(clock.max_time(), 1500);
}

TEST(Held, is_judged_anew_in_its_order_so_that_it_can_be_late) {
  Clock clock;
  clock.started().read({click(1900), click(1700), click(950)});
  EXPECT_EQ(clock.decisions(), "2:ok 0:ok 1:late");
}

TEST(Held, is_compared_with_the_clock_moved_by_the_following_event_only) {
  Clock clock;
  clock.started().read({click(1100), click(2050), click(200)});
  EXPECT_EQ(clock.decisions(), "2:ok 1:future 0:ok") << "2050 is near 1100, but too far from 200";
}

TEST(Held, is_decided_by_a_late_event_as_by_any_other) {
  Clock clock;
  clock.started().read({click(500), click(5000), click(0)});
  EXPECT_EQ(clock.decisions(), "0:ok 2:late 1:future");
}

TEST(SixtyFourHeld, mean_that_time_really_moved_on) {
  Clock clock;
  clock.started().read(std::vector<std::string>(63, click(50'000)));
  EXPECT_EQ(clock.max_time(), 0);
  EXPECT_EQ(clock.clock().held_events(), 63U);
  clock.read({click(50'010)});
  EXPECT_EQ(clock.max_time(), 50'010);
  EXPECT_EQ(clock.count(Fate::undecided), 64U);
}

TEST(SixtyFourHeld, start_again_from_their_smallest_time) {
  Clock clock;
  clock.started().read(std::vector<std::string>(62, click(50'000))).read({click(49'950), click(50'001)});
  EXPECT_EQ(clock.max_time(), 50'001);
  EXPECT_EQ(clock.count(Fate::undecided), 64U);
  EXPECT_EQ(clock.count(Fate::late), 0U);
}

TEST(SixtyFourHeld, are_records_not_events) {  // [S3.13]
  Clock clock;
  clock.started().read(std::vector<std::string>(40, basket(50'000, 2)));
  EXPECT_EQ(clock.clock().held_events(), 80U);
  clock.read(std::vector<std::string>(24, basket(50'000, 2)));
  EXPECT_EQ(clock.clock().held_events(), 0U);
  EXPECT_EQ(clock.count(Fate::undecided), 128U);
}

TEST(SixtyFourHeld, are_in_a_row_also_around_records_without_a_time) {  // [S3.13]
  Clock clock;
  clock.started().read(std::vector<std::string>(63, click(50'000))).read({"{broken", R"({"type":"tick"})", click(50'000)});
  EXPECT_EQ(clock.count(Fate::undecided), 64U);
}

TEST(SixtyFourHeld, hold_again_what_is_still_too_far_ahead) {  // [S3.12]
  Clock clock;
  clock.started().read({click(900'000)}).read(std::vector<std::string>(63, click(50'000)));
  EXPECT_EQ(clock.max_time(), 50'000);
  EXPECT_EQ(clock.count(Fate::undecided), 63U);
  EXPECT_EQ(clock.count(Fate::future), 1U) << "the ones after it decide it";
}

TEST(SixtyFourHeld, hold_again_what_comes_last_until_more_is_known) {  // [S3.12]
  Clock clock;
  clock.started().read(std::vector<std::string>(63, click(50'000))).read({click(900'000)});
  EXPECT_EQ(clock.count(Fate::undecided), 63U);
  EXPECT_EQ(clock.clock().held_events(), 1U);
  clock.read({click(50'001)});
  EXPECT_EQ(clock.count(Fate::future), 1U);
}

TEST(EndOfFile, means_that_time_really_moved_on) {
  Clock clock;
  clock.started().read({click(50'020), click(50'000)}).end();
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok");
  EXPECT_EQ(clock.max_time(), 50'020);
  EXPECT_EQ(clock.clock().held_events(), 0U);
}

TEST(EndOfFile, tells_what_was_too_far_ahead_and_what_step_would_have_taken_it) {
  Clock clock;
  clock.started().read({click(50'020), R"({"type":"tick","ts":)" + std::to_string(support::zero_ms + 50'030) + "}",
                        click(49'000), click(70'000)});
  clock.end();
  const PartitionClock::Ahead& ahead = clock.clock().ahead_at_end();
  EXPECT_EQ(ahead.records, 4U);
  EXPECT_EQ(ahead.step, Duration{50'020});
  EXPECT_EQ(ahead.from, at(0));
  EXPECT_EQ(ahead.to, at(70'000));
  Clock taken(ahead.step.ms);
  taken.started().read({click(50'020), click(49'000), click(70'000)}).end();
  EXPECT_EQ(taken.clock().log_end(), at(70'000));
  EXPECT_EQ(taken.clock().ahead_at_end().records, 0U);
}

TEST(EndOfFile, has_nothing_too_far_ahead_where_others_decided_it) {
  Clock clock;
  clock.started().read({click(50'020), click(0)}).end();
  EXPECT_EQ(clock.decisions(), "1:ok 0:future");
  EXPECT_EQ(clock.clock().ahead_at_end().records, 0U);
  Clock moved;
  moved.started().read(std::vector<std::string>(64, click(50'000))).end();
  EXPECT_EQ(moved.clock().ahead_at_end().records, 0U);
}

TEST(EndOfFile, goes_on_until_nothing_is_held) {  // [S3.12]
  Clock clock;
  clock.started().read({click(50'000), click(900'000), click(7'000'000)}).end();
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok 2:ok");
}

TEST(EndOfFile, remembers_the_last_time_before_it_released_anything) {  // [S3.16]
  Clock clock;
  clock.started().read({click(700), click(50'000)}).end();
  EXPECT_EQ(clock.clock().log_end(), at(700));
  EXPECT_EQ(clock.max_time(), 50'000);
}

TEST(EndOfFile, of_a_file_without_timed_events_has_no_last_time) {
  Clock clock;
  clock.read({"{broken"}).end();
  EXPECT_EQ(clock.clock().log_end(), std::nullopt);
  EXPECT_EQ(clock.decisions(), "0:invalid");
}

TEST(Ignored, moves_the_clock_and_decides_the_held) {  // [S3.14]
  Clock clock;
  clock.started().read({click(1500), support::tick_line(600)});
  EXPECT_EQ(clock.decisions(), "1:ignored 0:ok");
  EXPECT_EQ(clock.max_time(), 1500);
}

TEST(Ignored, does_nothing_at_all_when_it_is_too_far_ahead) {  // [S3.14]
  Clock clock;
  clock.started().read(std::vector<std::string>(63, click(50'000))).read({support::tick_line(50'000)});
  EXPECT_EQ(clock.max_time(), 0);
  EXPECT_EQ(clock.clock().held_events(), 63U) << "it neither counts nor breaks the row";
  clock.read({click(50'000)});
  EXPECT_EQ(clock.count(Fate::undecided), 64U);
}

TEST(Ignored, is_never_late_or_future) {
  Clock clock;
  clock.started().read({click(500), support::tick_line(0), support::tick_line(9'000'000)}).end();
  EXPECT_EQ(clock.decisions(), "0:ok 1:ignored 2:ignored");
}

TEST(Invalid, takes_no_part) {
  Clock clock;
  clock.started().read({click(1500), R"({"type":"click","ts":1699999200001})", click(1)});
  EXPECT_EQ(clock.decisions(), "1:invalid 2:ok 0:future");
}

TEST(MaxStepZero, turns_the_future_rule_off) {
  Clock clock(0);
  clock.started().read({click(900'000'000), click(899'999'900)});
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok");
}

TEST(Basket, shares_one_fate) {
  Clock clock;
  clock.started().read({click(500), basket(399, 3), basket(400, 2)});
  EXPECT_EQ(clock.decisions(), "0:ok 1:late 2:late 3:late 4:ok 5:ok");
}

TEST(BrokerTime, decides_the_future_at_once_and_by_the_skew) {
  Clock clock;
  clock.read({click(150), click(151), click(0)}, at(100));
  EXPECT_EQ(clock.decisions(), "0:ok 1:future 2:late");
  EXPECT_EQ(clock.max_time(), 150);
}

TEST(BrokerTime, needs_no_first_events_and_holds_nothing) {
  Clock clock;
  clock.read({click(900'000)}, at(900'000)).read({click(5'000'000)}, at(5'000'000));
  EXPECT_EQ(clock.decisions(), "0:ok 1:ok");
  EXPECT_EQ(clock.clock().held_events(), 0U);
}

TEST(BrokerTime, lets_no_ignored_event_ahead_of_it_move_the_clock) {
  Clock clock;
  clock.read({click(100), support::tick_line(151)}, at(100));
  EXPECT_EQ(clock.max_time(), 100);
  clock.read({support::tick_line(150)}, at(100));
  EXPECT_EQ(clock.max_time(), 150);
}

// Invariants: every event is decided once, and cuts into batches change neither decisions nor their order.
TEST(PartitionClock, decides_every_event_once_wherever_batches_are_cut) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    support::Dice dice(seed);
    std::vector<std::string> lines;
    std::int64_t now = 0;
    std::size_t events = 0;
    for (std::size_t i = 0, size = dice.below(400); i < size; ++i) {
      now += dice.percent(1) ? 30'000 : dice.between(0, 30);
      const std::int64_t ms = dice.percent(15) ? now + dice.between(0, 3000) : now - dice.between(0, 150);
      const auto items = static_cast<int>(dice.below(3));
      if (items == 2) {
        lines.push_back(basket(ms, 2));
        events += 2;
      } else {
        lines.push_back(dice.percent(10) ? support::tick_line(ms) : dice.percent(3) ? "{broken" : click(ms));
        ++events;
      }
    }
    Clock at_once;
    at_once.read(lines).end();
    Clock in_parts;
    for (std::size_t from = 0; from < lines.size();) {
      const std::size_t to = std::min(lines.size(), from + 1 + dice.below(70));
      in_parts.read({lines.begin() + static_cast<std::ptrdiff_t>(from), lines.begin() + static_cast<std::ptrdiff_t>(to)});
      from = to;
    }
    in_parts.end();
    ASSERT_EQ(at_once.decisions(), in_parts.decisions()) << "seed " << seed;
    std::size_t decided = 0;
    for (const Fate fate : {Fate::invalid, Fate::ignored, Fate::future, Fate::late, Fate::undecided})
      decided += at_once.count(fate);
    ASSERT_EQ(decided, events) << "seed " << seed;
  }
}

}  // namespace
}  // namespace recmeter
