#include "recmeter/evaluation/marked_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

EventTime s(std::int64_t seconds) {
  return EventTime{seconds * 1000};
}

TEST(MarkedTimes, join_what_is_a_second_apart) {
  MarkedTimes marks;
  for (const std::int64_t second : {10, 20, 12, 11}) marks.add(s(second));
  EXPECT_EQ(marks.spans(), (std::vector<TimeSpan>{{s(10), s(12)}, {s(20), s(20)}}));
}

TEST(MarkedTimes, forget_what_ends_before) {
  MarkedTimes marks(std::vector<TimeSpan>{{s(1), s(5)}, {s(10), s(10)}});
  marks.forget(s(5));
  EXPECT_EQ(marks.spans().size(), 2U);
  marks.forget(s(6));
  EXPECT_EQ(marks.spans(), (std::vector<TimeSpan>{{s(10), s(10)}}));
}

TEST(MarkedTimes, join_the_nearest_when_there_are_too_many) {
  MarkedTimes marks;
  for (std::int64_t n = 0; n < static_cast<std::int64_t>(MarkedTimes::spans_max); ++n) marks.add(s(n * 100));
  marks.add(s(250));
  marks.add(s(710));
  EXPECT_EQ(marks.spans().size(), MarkedTimes::spans_max);
  const auto has = [&](const TimeSpan& span) {
    return std::find(marks.spans().begin(), marks.spans().end(), span) != marks.spans().end();
  };
  EXPECT_TRUE(has({s(200), s(250)}) || has({s(250), s(300)}));
  EXPECT_TRUE(has({s(700), s(710)}));
}

TEST(MarkedTimes, hold_every_time_and_stay_in_order_and_bounded) {
  support::for_each_seed(50, 2000, [](std::uint64_t seed) {
    support::Dice dice(seed);
    MarkedTimes marks;
    std::vector<EventTime> times;
    const std::uint64_t range = dice.pick<std::uint64_t>({10'000, 1'000'000, 100'000'000});
    for (std::uint64_t n = 0; n < 1500; ++n) {
      times.push_back(EventTime{static_cast<std::int64_t>(dice.below(range))});
      marks.add(times.back());
    }
    const auto& spans = marks.spans();
    ASSERT_LE(spans.size(), MarkedTimes::spans_max);
    for (std::size_t k = 1; k < spans.size(); ++k) ASSERT_LT(spans[k - 1].to + Duration{1000}, spans[k].from);
    for (const EventTime time : times) {
      ASSERT_TRUE(std::any_of(spans.begin(), spans.end(),
                              [&](const TimeSpan& span) { return span.from <= time && time <= span.to; }));
    }
  });
}

}  // namespace
}  // namespace recmeter
