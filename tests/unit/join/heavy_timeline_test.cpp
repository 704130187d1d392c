#include "recmeter/join/heavy_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "missed_model.h"
#include "recmeter/join/credit_rule.h"

namespace recmeter {
namespace {

using Lists = std::vector<std::uint64_t>;

Lists with_id(const HeavyTimeline& heavy, std::uint64_t hash) {
  Lists found;
  for (auto at = heavy.by_id().newest(hash); at != 0; at = heavy.by_id().older(at)) {
    found.push_back(heavy.by_id().sequence(at));
  }
  return found;
}

Lists with_item(const HeavyTimeline& heavy, Interner::Id item, bool credited, std::size_t at_most = 100) {
  Lists found;
  heavy.visit_with_item(item, credited, [&](std::uint64_t sequence) {
    found.push_back(sequence);
    return found.size() < at_most;
  });
  return found;
}

Lists reversed(Lists lists) {
  std::reverse(lists.begin(), lists.end());
  return lists;
}

TEST(HeavyTimeline, finds_lists_by_id_and_by_item_until_they_are_forgotten) {
  support::Dice dice(1);
  for (const Credit credit : {Credit::last_touch, Credit::first_touch, Credit::every_touch}) {
    JoinRule rule = test::random_missed_rule(dice);
    rule.credit = credit;
    const auto in_order = [&](Lists earliest_first) {
      return credit == Credit::first_touch ? earliest_first : reversed(earliest_first);
    };
    HeavyTimeline heavy(rule, {});
    heavy.add_list(10, 111);
    heavy.add_items(10, std::vector<Interner::Id>{1, 2});
    heavy.add_list(11, 111);
    heavy.add_items(11, std::vector<Interner::Id>{2});
    heavy.add_credit(11, 2);
    EXPECT_EQ(with_id(heavy, 111), (Lists{11, 10}));
    EXPECT_EQ(with_item(heavy, 2, false), in_order({10, 11}));
    EXPECT_EQ(with_item(heavy, 2, false, 1).size(), 1U);
    EXPECT_EQ(with_item(heavy, 2, true), Lists{11});
    heavy.forget_list(10, std::vector<Interner::Id>{1, 2, 1}, true);
    EXPECT_EQ(with_id(heavy, 111), Lists{11});
    EXPECT_EQ(with_item(heavy, 2, false), Lists{11});
    EXPECT_EQ(with_item(heavy, 2, true), Lists{11});
    EXPECT_TRUE(with_item(heavy, 1, false).empty());
    EXPECT_TRUE(with_id(heavy, 112).empty());
  }
}

// Both horizons slide over the same feedback at their own pace, of all actions and of one alone; what none needs is
// forgotten.
TEST(HeavyTimeline, misses_what_brute_force_misses_at_every_horizon_in_every_view) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    support::Dice dice(seed);
    const JoinRule rule = test::random_missed_rule(dice);
    const std::vector<ActedItem> all = test::random_acted(dice, 150);
    JoinRule alone = rule;
    for (Action& action : alone.actions) action.gain = 0;
    Action& one = alone.actions[seed % 5];
    one.gain = 1;
    one.after.reset();
    const std::vector<std::vector<double>> views{credit_rule::missed_gains(rule), credit_rule::missed_gains(alone)};
    HeavyTimeline heavy(rule, views);
    for (const ActedItem& acted : all) heavy.add_acted(acted);
    std::vector<std::int64_t> lists;
    for (std::int64_t ms = 990; ms < all.back().ts.ms + 60; ms += static_cast<std::int64_t>(dice.below(9)))
      lists.push_back(ms);
    std::vector<std::size_t> next{0, 0};  // per horizon: the list to score
    while (next[0] < lists.size() || next[1] < lists.size()) {
      const std::size_t h = next[0] == lists.size() || (next[1] < lists.size() && dice.percent(50)) ? 1 : 0;
      const EventTime list{lists[next[h]++]};
      const auto shown = test::random_distinct_items(dice);
      std::vector<GradeCount> grades;
      heavy.missed(0, h, list, shown, grades);
      ASSERT_EQ(test::as_grades(grades), test::brute_force_missed(rule, rule.horizons[h], list, shown, all))
          << "seed " << seed;
      heavy.missed(1, h, list, shown, grades);
      ASSERT_EQ(test::as_grades(grades), test::brute_force_missed(alone, rule.horizons[h], list, shown, all))
          << "seed " << seed;
    }
  }
}

TEST(HeavyTimeline, still_serves_later_lists_after_earlier_ones_have_passed) {
  support::Dice dice(3);
  const JoinRule rule = test::random_missed_rule(dice);
  const std::vector<ActedItem> all = test::random_acted(dice, 300);
  const std::vector<std::vector<double>> views{credit_rule::missed_gains(rule)};
  HeavyTimeline heavy(rule, views);
  for (const ActedItem& acted : all) heavy.add_acted(acted);
  const EventTime middle = all[150].ts;
  heavy.lists_passed(middle);
  std::vector<GradeCount> grades;
  for (std::int64_t ms = middle.ms + 1; ms < all.back().ts.ms; ++ms) {
    heavy.missed(0, 0, EventTime{ms}, {}, grades);
    ASSERT_EQ(test::as_grades(grades), test::brute_force_missed(rule, rule.horizons[0], EventTime{ms}, {}, all));
  }
}

}  // namespace
}  // namespace recmeter
