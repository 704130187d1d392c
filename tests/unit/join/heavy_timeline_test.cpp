#include "recmeter/join/heavy_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "missed_model.h"

namespace recmeter {
namespace {

std::vector<std::uint64_t> live(const SequenceQueue& queue) {
  return {queue.live().begin(), queue.live().end()};
}

TEST(SequenceQueue, stays_ascending_when_a_late_row_brings_an_older_list) {
  SequenceQueue queue;
  for (const std::uint64_t sequence : {1U, 5U, 9U, 3U, 7U}) queue.insert(sequence);
  EXPECT_EQ(live(queue), (std::vector<std::uint64_t>{1, 3, 5, 7, 9}));
}

TEST(SequenceQueue, holds_a_list_once_however_often_it_shows_the_item) {
  SequenceQueue queue;
  for (const std::uint64_t sequence : {4U, 4U, 6U, 4U, 6U}) queue.insert(sequence);
  EXPECT_EQ(live(queue), (std::vector<std::uint64_t>{4, 6}));
}

TEST(SequenceQueue, forgets_up_to_and_including) {
  SequenceQueue queue;
  for (const std::uint64_t sequence : {1U, 2U, 3U}) queue.insert(sequence);
  queue.forget_up_to(2);
  EXPECT_EQ(live(queue), std::vector<std::uint64_t>{3});
  queue.forget_up_to(3);
  EXPECT_TRUE(queue.live().empty());
}

TEST(SequenceQueue, agrees_with_a_set_under_random_use) {
  SequenceQueue queue;
  std::set<std::uint64_t> model;
  support::Dice dice(1);
  std::uint64_t newest = 0;
  for (int step = 0; step < 20'000; ++step) {
    newest += dice.below(3);
    const std::uint64_t sequence = newest - std::min<std::uint64_t>(newest, dice.below(4));
    if (!model.empty() && sequence < *model.begin()) continue;  // forgotten lists get no more rows
    queue.insert(sequence);
    model.insert(sequence);
    if (dice.percent(60)) {
      const std::uint64_t oldest = *model.begin();
      queue.forget_up_to(oldest);
      model.erase(oldest);
    }
    ASSERT_TRUE(std::ranges::equal(queue.live(), model));
  }
}

TEST(HeavyTimeline, finds_lists_by_id_and_by_item_until_they_are_forgotten) {
  support::Dice dice(1);
  const JoinRule rule = test::random_missed_rule(dice);
  HeavyTimeline heavy(rule, false);
  heavy.add_list(10, 111);
  heavy.add_item(10, 1);
  heavy.add_item(10, 2);
  heavy.add_list(11, 111);
  heavy.add_item(11, 2);
  EXPECT_EQ(heavy.lists_with_id(111).size(), 2U);
  EXPECT_EQ(heavy.lists_with_item(2).size(), 2U);
  heavy.forget_list(10, 111, std::vector<Interner::Id>{1, 2});
  EXPECT_TRUE(std::ranges::equal(heavy.lists_with_id(111), std::vector<std::uint64_t>{11}));
  EXPECT_TRUE(std::ranges::equal(heavy.lists_with_item(2), std::vector<std::uint64_t>{11}));
  EXPECT_TRUE(heavy.lists_with_item(1).empty());
  EXPECT_TRUE(heavy.lists_with_id(112).empty());
}

// Both horizons slide over the same feedback at their own pace, and what neither needs is forgotten.
TEST(HeavyTimeline, misses_what_brute_force_misses_at_every_horizon) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    support::Dice dice(seed);
    const JoinRule rule = test::random_missed_rule(dice);
    const std::vector<ActedItem> all = test::random_acted(dice, 150);
    HeavyTimeline heavy(rule, true);
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
      heavy.missed(h, list, shown, grades);
      ASSERT_EQ(test::as_grades(grades), test::brute_force_missed(rule, rule.horizons[h], list, shown, all))
          << "seed " << seed;
    }
  }
}

TEST(HeavyTimeline, still_serves_later_lists_after_earlier_ones_have_passed) {
  support::Dice dice(3);
  const JoinRule rule = test::random_missed_rule(dice);
  const std::vector<ActedItem> all = test::random_acted(dice, 300);
  HeavyTimeline heavy(rule, true);
  for (const ActedItem& acted : all) heavy.add_acted(acted);
  const EventTime middle = all[150].ts;
  heavy.lists_passed(middle);
  std::vector<GradeCount> grades;
  for (std::int64_t ms = middle.ms + 1; ms < all.back().ts.ms; ++ms) {
    heavy.missed(0, EventTime{ms}, {}, grades);
    ASSERT_EQ(test::as_grades(grades), test::brute_force_missed(rule, rule.horizons[0], EventTime{ms}, {}, all));
  }
}

}  // namespace
}  // namespace recmeter
