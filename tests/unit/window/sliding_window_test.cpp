#include "recmeter/window/sliding_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Times = std::vector<std::int64_t>;

struct TimesCell {
  Times times;
  void merge(TimesCell&& from) { times.insert(times.end(), from.times.begin(), from.times.end()); }
  [[nodiscard]] std::size_t memory_bytes() const { return 0; }
};

// What is inside, kept as invariant (2) says.
class TimesInside {
 public:
  using Cell = TimesCell;

  void enter(const TimesCell& pane) {
    EXPECT_EQ(std::find(inside_.begin(), inside_.end(), &pane), inside_.end()) << "a pane enters once";
    inside_.push_back(&pane);
  }
  void leave(const TimesCell& pane) {
    ASSERT_GT(inside_.size(), 1U) << "the last one takes the state with it";
    ASSERT_EQ(inside_.front(), &pane) << "panes leave in the order in which they entered";
    inside_.pop_front();
  }
  void add(const TimesInside& other) { inside_.insert(inside_.end(), other.inside_.begin(), other.inside_.end()); }
  [[nodiscard]] Times snapshot() const {
    Times all;
    for (const TimesCell* pane : inside_) all.insert(all.end(), pane->times.begin(), pane->times.end());
    std::sort(all.begin(), all.end());
    return all;
  }
  [[nodiscard]] std::size_t memory_bytes() const { return 0; }

 private:
  std::deque<const TimesCell*> inside_;
};

struct Visit {
  std::int64_t start;
  Times content;
  friend bool operator==(const Visit&, const Visit&) = default;
};

// The whole of a window, as it was at every visit.
class Watched {
 public:
  explicit Watched(const WindowSpec& spec) : window_(spec, bound, 0) {}

  void add(std::int64_t t) {
    SegmentCells<TimesCell> cells;
    bool moved = false;
    cells.at({}, bound, moved).times.push_back(t);
    window_.add(EventTime{t}, std::move(cells));
  }
  void advance(std::int64_t limit) {
    window_.advance(EventTime{limit}, [&](EventTime start, auto segments) {
      ASSERT_EQ(segments.size(), 1U);
      visits_.push_back({start.ms, segments.front().state->snapshot()});
    });
  }
  [[nodiscard]] const std::vector<Visit>& visits() const { return visits_; }

 private:
  inline static const SegmentBound bound{.keep = {}, .values_max = 1};
  SlidingWindow<TimesInside> window_;
  std::vector<Visit> visits_;
};

const WindowSpec tumbling{.name = "t", .size = {10}, .slide = {10}, .offset = {0}};
const WindowSpec rolling{.name = "r", .size = {30}, .slide = {10}, .offset = {0}};

TEST(SlidingWindow, visits_a_window_when_its_end_is_reached) {
  Watched watched(tumbling);
  watched.add(3);
  watched.advance(9);
  EXPECT_TRUE(watched.visits().empty());
  watched.advance(10);
  EXPECT_EQ(watched.visits(), (std::vector<Visit>{{0, {3}}}));
}

TEST(SlidingWindow, merges_the_parts_of_a_pane) {
  Watched watched(tumbling);
  watched.add(3);
  watched.add(7);
  watched.advance(10);
  EXPECT_EQ(watched.visits(), (std::vector<Visit>{{0, {3, 7}}}));
}

TEST(SlidingWindow, passes_over_windows_without_panes) {
  Watched watched(tumbling);
  watched.add(3);
  watched.add(1003);
  watched.advance(2000);
  EXPECT_EQ(watched.visits(), (std::vector<Visit>{{0, {3}}, {1000, {1003}}}));
}

TEST(SlidingWindow, rolls_by_the_slide_from_the_first_window_with_the_pane_to_the_last) {
  Watched watched(rolling);
  watched.add(5);
  watched.add(15);
  watched.advance(100);
  EXPECT_EQ(watched.visits(), (std::vector<Visit>{{-20, {5}}, {-10, {5, 15}}, {0, {5, 15}}, {10, {15}}}));
}

TEST(SlidingWindow, rolls_over_a_gap_as_long_as_the_window) {
  Watched watched(rolling);
  watched.add(5);
  watched.add(35);  // its first window begins where the last one of 5 ends
  watched.advance(100);
  EXPECT_EQ(watched.visits(), (std::vector<Visit>{{-20, {5}}, {-10, {5}}, {0, {5}}, {10, {35}}, {20, {35}}, {30, {35}}}));
}

TEST(SlidingWindow, takes_panes_after_windows_without_them_have_passed) {
  Watched watched(rolling);
  watched.add(5);
  watched.advance(20);
  watched.advance(500);
  watched.add(505);
  watched.advance(530);
  ASSERT_EQ(watched.visits().size(), 6U);
  EXPECT_EQ(watched.visits()[3], (Visit{480, {505}}));
  EXPECT_EQ(watched.visits()[5], (Visit{500, {505}}));
}

TEST(SlidingWindow, refuses_a_pane_before_the_last_one) {
  Watched watched(tumbling);
  watched.add(25);
  EXPECT_DEATH(watched.add(5), "time order");
}

// Any window, any times, any steps: the windows with content, each once, in order, with exactly what lies within.
TEST(SlidingWindow, agrees_with_looking_at_every_window) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Dice dice(seed);
    const std::int64_t slide = dice.between(1, 12);
    const WindowSpec window{
        .name = "w", .size = {slide * dice.between(1, 5)}, .slide = {slide}, .offset = {dice.between(-20, 20)}};
    std::vector<std::int64_t> times;
    std::int64_t t = 1000;
    for (int i = 0; i < 40; ++i) times.push_back(t += dice.percent(10) ? dice.between(0, 200) : dice.between(0, 6));
    Watched watched(window);
    std::size_t added = 0;
    for (std::int64_t now = 990; now < t + 100; now += dice.between(1, 40)) {
      for (; added < times.size() && times[added] < now; ++added) watched.add(times[added]);
      watched.advance(now);
    }
    std::vector<Visit> expected;
    for (std::int64_t start = 800; start < t + 100; ++start) {
      if (pane_start(EventTime{start}, window.slide, window.offset).ms != start) continue;
      Visit visit{start, {}};
      std::copy_if(times.begin(), times.end(), std::back_inserter(visit.content),
                   [&](std::int64_t at) { return at >= start && at < start + window.size.ms; });
      if (!visit.content.empty() && start + window.size.ms < t + 100) expected.push_back(std::move(visit));
    }
    watched.advance(t + 99);
    ASSERT_EQ(watched.visits(), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace recmeter
