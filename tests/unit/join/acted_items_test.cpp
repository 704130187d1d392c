#include "recmeter/join/acted_items.h"

#include <gtest/gtest.h>

#include "missed_model.h"
#include "recmeter/join/credit_rule.h"

namespace recmeter {
namespace {

using test::as_grades;
using test::Grades;

JoinRule one_click(Duration skew) {
  JoinRule rule;
  rule.skew = skew;
  rule.horizons = {Duration{100}};
  rule.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  return rule;
}

// The grades missed by a list at `list` when item 7 was clicked at `click`.
Grades missed(Duration skew, std::int64_t list, std::int64_t click) {
  const JoinRule rule = one_click(skew);
  ActedItems items(rule, Duration{100}, credit_rule::missed_gains(rule));
  const std::vector<ActedItem> acted{{EventTime{click}, 7, 0}};
  items.slide_to(EventTime{list}, acted, 0);
  std::vector<GradeCount> grades;
  const std::uint64_t total = items.missed({}, grades);
  EXPECT_EQ(total, grades.size());
  return as_grades(grades);
}

TEST(ActedItems, counts_from_the_lists_own_time_to_just_before_the_horizon) {
  const Grades one{{1.0, 1}};
  EXPECT_EQ(missed(Duration{0}, 1000, 1000), one);
  EXPECT_EQ(missed(Duration{0}, 1000, 1099), one);
  EXPECT_EQ(missed(Duration{0}, 1000, 1100), Grades{});
  EXPECT_EQ(missed(Duration{0}, 1000, 999), Grades{});
}

TEST(ActedItems, looks_back_as_far_as_the_skew) {
  const Grades one{{1.0, 1}};
  EXPECT_EQ(missed(Duration{20}, 1000, 980), one);
  EXPECT_EQ(missed(Duration{20}, 1000, 979), Grades{});
}

TEST(ActedItems, takes_out_what_the_list_shows) {
  const JoinRule rule = one_click(Duration{0});
  ActedItems items(rule, Duration{100}, credit_rule::missed_gains(rule));
  const std::vector<ActedItem> acted{{EventTime{1000}, 7, 0}, {EventTime{1001}, 8, 0}};
  items.slide_to(EventTime{1000}, acted, 0);
  std::vector<GradeCount> grades;
  const std::vector<Interner::Id> shown{8, 9};
  EXPECT_EQ(items.missed(shown, grades), 1U);
  EXPECT_EQ(as_grades(grades), (Grades{{1.0, 1}}));
}

// Lists forward in time; feedback filed as it happens and forgotten when it says so.
TEST(ActedItems, agrees_with_brute_force_on_random_timelines) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Dice dice(seed);
    const JoinRule rule = test::random_missed_rule(dice);
    const Duration horizon = rule.horizons[seed % 2];
    const std::vector<ActedItem> all = test::random_acted(dice, 150);
    std::vector<ActedItem> filed;
    std::uint64_t first = 0;  // number of filed[0]
    std::size_t next = 0;
    ActedItems items(rule, horizon, credit_rule::missed_gains(rule));
    for (std::int64_t list = 990; list < all.back().ts.ms + 60; list += static_cast<std::int64_t>(dice.below(9))) {
      // At the least what lies within the horizon has been filed; more does no harm.
      const std::int64_t until = list + horizon.ms + static_cast<std::int64_t>(dice.below(30));
      for (; next < all.size() && all[next].ts.ms < until; ++next) filed.push_back(all[next]);
      items.slide_to(EventTime{list}, filed, first);
      const auto shown = test::random_distinct_items(dice);
      std::vector<GradeCount> grades;
      const std::uint64_t total = items.missed(shown, grades);
      const Grades expected = test::brute_force_missed(rule, horizon, EventTime{list}, shown, all);
      ASSERT_EQ(as_grades(grades), expected) << "seed " << seed << " list " << list;
      std::uint64_t sum = 0;
      for (const auto& [grade, count] : expected) sum += count;
      ASSERT_EQ(total, sum);
      if (dice.percent(30)) {
        const std::uint64_t needed = std::min<std::uint64_t>(items.needed_from(), first + filed.size());
        filed.erase(filed.begin(), filed.begin() + static_cast<std::ptrdiff_t>(needed - first));
        first = needed;
      }
    }
  }
}

}  // namespace
}  // namespace recmeter
