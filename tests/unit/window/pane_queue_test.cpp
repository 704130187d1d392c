#include "recmeter/window/pane_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Pane = std::vector<std::int64_t>;  // the times it holds

struct Visit {
  std::int64_t start;
  Pane content;
  friend bool operator==(const Visit&, const Visit&) = default;
};

// A queue and what is inside, kept as its invariant (2) says.
class Watched {
 public:
  explicit Watched(const WindowSpec& window) : window_(window), queue_(window) {}

  void add(std::int64_t t) {
    queue_.add(EventTime{t}, Pane{t}, [](Pane& to, Pane&& from) { to.insert(to.end(), from.begin(), from.end()); });
  }
  void advance(std::int64_t limit) {
    queue_.advance(
        EventTime{limit},
        [&](std::uint32_t number, const Pane& pane) {
          ASSERT_TRUE(inside_.emplace(number, pane).second) << "a pane enters once";
          ASSERT_TRUE(entered_.insert(number).second) << "and never again";
        },
        [&](std::uint32_t number, const Pane& pane) {
          ASSERT_EQ(inside_.at(number), pane) << "it leaves as it entered";
          inside_.erase(number);
        },
        [&](EventTime start) {
          Visit visit{start.ms, {}};
          for (const auto& [number, pane] : inside_) visit.content.insert(visit.content.end(), pane.begin(), pane.end());
          std::sort(visit.content.begin(), visit.content.end());
          visits_.push_back(std::move(visit));
        });
  }
  [[nodiscard]] const std::vector<Visit>& visits() const { return visits_; }

 private:
  WindowSpec window_;
  PaneQueue<Pane> queue_;
  std::map<std::uint32_t, Pane> inside_;
  std::set<std::uint32_t> entered_;
  std::vector<Visit> visits_;
};

const WindowSpec tumbling{.name = "t", .size = {10}, .slide = {10}, .offset = {0}};
const WindowSpec rolling{.name = "r", .size = {30}, .slide = {10}, .offset = {0}};

TEST(PaneQueue, visits_a_window_when_its_end_is_reached) {
  Watched queue(tumbling);
  queue.add(3);
  queue.advance(9);
  EXPECT_TRUE(queue.visits().empty());
  queue.advance(10);
  EXPECT_EQ(queue.visits(), (std::vector<Visit>{{0, {3}}}));
}

TEST(PaneQueue, merges_the_parts_of_a_pane) {
  Watched queue(tumbling);
  queue.add(3);
  queue.add(7);
  queue.advance(10);
  EXPECT_EQ(queue.visits(), (std::vector<Visit>{{0, {3, 7}}}));
}

TEST(PaneQueue, passes_over_windows_without_panes) {
  Watched queue(tumbling);
  queue.add(3);
  queue.add(1003);
  queue.advance(2000);
  EXPECT_EQ(queue.visits(), (std::vector<Visit>{{0, {3}}, {1000, {1003}}}));
}

TEST(PaneQueue, rolls_by_the_slide_from_the_first_window_with_the_pane_to_the_last) {
  Watched queue(rolling);
  queue.add(5);
  queue.add(15);
  queue.advance(100);
  EXPECT_EQ(queue.visits(), (std::vector<Visit>{{-20, {5}}, {-10, {5, 15}}, {0, {5, 15}}, {10, {15}}}));
}

TEST(PaneQueue, rolls_over_a_gap_as_long_as_the_window) {
  Watched queue(rolling);
  queue.add(5);
  queue.add(35);  // its first window begins where the last one of 5 ends
  queue.advance(100);
  EXPECT_EQ(queue.visits(), (std::vector<Visit>{{-20, {5}}, {-10, {5}}, {0, {5}}, {10, {35}}, {20, {35}}, {30, {35}}}));
}

TEST(PaneQueue, takes_panes_after_windows_without_them_have_passed) {
  Watched queue(rolling);
  queue.add(5);
  queue.advance(20);
  queue.advance(500);
  queue.add(505);
  queue.advance(530);
  ASSERT_EQ(queue.visits().size(), 6U);
  EXPECT_EQ(queue.visits()[3], (Visit{480, {505}}));
  EXPECT_EQ(queue.visits()[5], (Visit{500, {505}}));
}

TEST(PaneQueue, refuses_a_pane_before_the_last_one) {
  Watched queue(tumbling);
  queue.add(25);
  EXPECT_DEATH(queue.add(5), "time order");
}

// Any window, any times, any steps: the windows with content, each once, in order, with exactly what lies within.
TEST(PaneQueue, agrees_with_looking_at_every_window) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Dice dice(seed);
    const std::int64_t slide = dice.between(1, 12);
    const WindowSpec window{
        .name = "w", .size = {slide * dice.between(1, 5)}, .slide = {slide}, .offset = {dice.between(-20, 20)}};
    std::vector<std::int64_t> times;
    std::int64_t t = 1000;
    for (int i = 0; i < 40; ++i) times.push_back(t += dice.percent(10) ? dice.between(0, 200) : dice.between(0, 6));
    Watched queue(window);
    std::size_t added = 0;
    for (std::int64_t now = 990; now < t + 100; now += dice.between(1, 40)) {
      for (; added < times.size() && times[added] < now; ++added) queue.add(times[added]);
      queue.advance(now);
    }
    std::vector<Visit> expected;
    for (std::int64_t start = 800; start < t + 100; ++start) {
      if (pane_start(EventTime{start}, window.slide, window.offset).ms != start) continue;
      Visit visit{start, {}};
      std::copy_if(times.begin(), times.end(), std::back_inserter(visit.content),
                   [&](std::int64_t at) { return at >= start && at < start + window.size.ms; });
      if (!visit.content.empty() && start + window.size.ms < t + 100) expected.push_back(std::move(visit));
    }
    queue.advance(t + 99);
    ASSERT_EQ(queue.visits(), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace recmeter
