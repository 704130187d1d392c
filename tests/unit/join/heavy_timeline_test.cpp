#include "recmeter/join/heavy_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "missed_model.h"

namespace recmeter {
namespace {

std::vector<std::uint64_t> postings(const PostingIndex& index, std::uint64_t key) {
  std::vector<std::uint64_t> found;
  for (auto at = index.oldest(key); at != 0; at = index.newer(at)) found.push_back(index.sequence(at));
  return found;
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
  heavy.add_credit(11, 2);
  using Postings = std::vector<std::uint64_t>;
  EXPECT_EQ(postings(heavy.by_id(), 111), (Postings{10, 11}));
  EXPECT_EQ(postings(heavy.by_item(), 2), (Postings{10, 11}));
  EXPECT_EQ(postings(heavy.by_credited_item(), 2), Postings{11});
  heavy.forget_list(10, 111, std::vector<Interner::Id>{1, 2, 1}, true);
  EXPECT_EQ(postings(heavy.by_id(), 111), Postings{11});
  EXPECT_EQ(postings(heavy.by_item(), 2), Postings{11});
  EXPECT_EQ(postings(heavy.by_credited_item(), 2), Postings{11});
  EXPECT_TRUE(postings(heavy.by_item(), 1).empty());
  EXPECT_TRUE(postings(heavy.by_id(), 112).empty());
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
