#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "recmeter/base/exact_sum.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/sliding_window.h"
#include "window_model.h"

namespace recmeter {
namespace {

using test::ShownList;

MetricPlan plan_of_test() {
  MetricSpec spec;
  spec.cutoffs = {2};
  spec.requests = {{.name = "precision", .as = {}, .options = {}}, {.name = "short_list_share", .as = {}, .options = {}}};
  return MetricPlan::make(spec).value();
}

ScoredList scored(const ShownList& list) {
  static const std::vector<Hit> hit{{1, 1.0}};
  ScoredList out;
  out.length = static_cast<std::uint32_t>(list.items.size());
  if (list.hit && !list.items.empty()) out.hits = hit;
  return out;
}

std::vector<AssignedFeedback> feedback_of(const ShownList& list) {
  return {{.credited = list.hit ? 1U : 0U, .repeated = list.group % 3}};
}

void add_to(PaneSums& sums, const MetricPlan& plan, const ShownList& list) {
  sums.add({.group = list.group}, ListValues(plan, scored(list)), feedback_of(list), list.ts % 2 == 0);
}

SegmentPanes<PaneSums> pane_of(const std::vector<const ShownList*>& lists, const MetricPlan& plan,
                               const std::vector<SegmentBound>& bounds) {
  SegmentPanes<PaneSums> pane;
  pane.combinations.resize(2);
  for (const ShownList* list : lists) {
    bool moved = false;
    add_to(pane.combinations[0].at({}, bounds[0], moved), plan, *list);
    add_to(pane.combinations[1].at({list->value}, bounds[1], moved), plan, *list);
  }
  return pane;
}

// Everything a row is made of.
void expect_equal(const RunningSums& actual, const RunningSums& expected, const MetricPlan& plan, const std::string& where) {
  EXPECT_EQ(actual.lists(), expected.lists()) << where;
  EXPECT_EQ(actual.unmatured(), expected.unmatured()) << where;
  EXPECT_EQ(actual.feedback(0).credited, expected.feedback(0).credited) << where;
  EXPECT_EQ(actual.feedback(0).repeated, expected.feedback(0).repeated) << where;
  for (const PlannedMetric& metric : plan.metrics()) {
    const Estimate a = actual.estimate(metric, 0.95);
    const Estimate e = expected.estimate(metric, 0.95);
    EXPECT_EQ(a.value, e.value) << where;
    EXPECT_EQ(a.se, e.se) << where;
    EXPECT_EQ(a.relevant_share, e.relevant_share) << where;
  }
}

RunningSums sum_of(const std::vector<const ShownList*>& lists, const MetricPlan& plan) {
  PaneSums pane;
  for (const ShownList* list : lists) add_to(pane, plan, *list);
  RunningSums sums;
  sums.enter(pane);
  return sums;
}

TEST(RunningSums, have_no_trace_of_a_pane_that_entered_and_left) {
  const MetricPlan plan = plan_of_test();
  support::Dice dice(1);
  const auto lists = test::random_lists(dice);
  PaneSums staying;
  PaneSums passing;
  for (const ShownList& list : lists) add_to(dice.percent(50) ? staying : passing, plan, list);
  RunningSums sums;
  sums.enter(staying);
  RunningSums with_both = sums;
  with_both.enter(passing);
  with_both.leave(passing);
  expect_equal(with_both, sums, plan, "");
  with_both.leave(staying);
  EXPECT_EQ(with_both.lists(), 0U);
}

TEST(PaneSums, merge_to_what_adding_everything_gives) {
  const MetricPlan plan = plan_of_test();
  support::Dice dice(2);
  const auto lists = test::random_lists(dice);
  PaneSums whole;
  std::vector<PaneSums> parts(3);
  for (const ShownList& list : lists) {
    add_to(whole, plan, list);
    add_to(parts[dice.below(3)], plan, list);
  }
  PaneSums merged;
  for (const std::size_t p : {2U, 0U, 1U}) merged.merge(parts[p]);
  RunningSums a;
  RunningSums b;
  a.enter(merged);
  b.enter(whole);
  expect_equal(a, b, plan, "");
}

TEST(PaneSums, sum_exactly_whatever_the_order) {
  const MetricPlan plan = plan_of_test();
  support::Dice dice(3);
  auto lists = test::random_lists(dice);
  std::vector<const ShownList*> order;
  for (const ShownList& list : lists) order.push_back(&list);
  const RunningSums expected = sum_of(order, plan);
  dice.shuffle(order);
  expect_equal(sum_of(order, plan), expected, plan, "");
}

TEST(WindowSums, agree_with_adding_up_each_window_by_itself) {
  const MetricPlan plan = plan_of_test();
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    support::Dice dice(seed);
    const auto lists = test::random_lists(dice);
    const WindowSpec window = test::random_window(dice);
    const std::size_t values_max = dice.below(6);
    const auto segments = test::one_key();
    const auto bounds = segment_bounds(segments, values_max);
    const std::size_t c = seed % 2;  // the whole, or by value
    SlidingWindow<RunningSums> sliding(window, bounds[c], c);
    std::size_t windows = 0;
    EventTime last = minus_infinity;
    const auto check = [&](EventTime start, auto of_window) {
      ++windows;
      ASSERT_LT(last, start) << "in order, each once";
      last = start;
      const test::Segments expected = test::segments_of(lists, start, window.size, values_max);
      ASSERT_TRUE(std::is_sorted(of_window.begin(), of_window.end(),
                                 [](const auto& a, const auto& b) { return a.values < b.values; }));
      for (const auto& segment : of_window) {
        const std::string where = "seed " + std::to_string(seed) + (segment.values.empty() ? "" : segment.values.front());
        ASSERT_TRUE(expected.contains({c, segment.values})) << where;
        expect_equal(*segment.state, sum_of(expected.at({c, segment.values}), plan), plan, where);
      }
      ASSERT_EQ(of_window.size(), test::count_of(expected, c)) << "seed " << seed;
    };
    // Panes narrower than the slide where that divides, as a shared grid makes them.
    const Duration width{window.slide.ms % 2 == 0 ? window.slide.ms / 2 : window.slide.ms};
    test::for_each_pane(lists, width, window.offset, [&](EventTime start, const auto& of_pane) {
      sliding.advance(start, check);
      sliding.add(start, std::move(pane_of(of_pane, plan, bounds).combinations[c]));
    });
    sliding.advance(plus_infinity, check);
    std::set<std::int64_t> starts;
    for (const ShownList& list : lists) {
      const EventTime newest = pane_start(EventTime{list.ts}, window.slide, window.offset);
      for (std::int64_t back = 0; back < window.size.ms; back += window.slide.ms) starts.insert(newest.ms - back);
    }
    ASSERT_EQ(windows, starts.size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace recmeter
