// Who acted in the trailing period, as lists see it: a period of 3 steps of 10.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "recmeter/window/acting_users.h"
#include "recmeter/window/popularity_table.h"
#include "support/dice.h"

namespace recmeter {
namespace {

constexpr PopularitySpec spec_of_test{.period_ms = 30, .step_ms = 10, .top = 2};
constexpr Interner::Id a = 0;
constexpr Interner::Id b = 1;

struct Act {
  std::int64_t ts;
  std::uint64_t user;
  Interner::Id item;
};

// What one shard or several tell, up to `w`.
PopularityTable table_of(const std::vector<std::vector<Act>>& shards, std::int64_t w, PopularitySpec spec = spec_of_test) {
  PopularityTable table(spec);
  for (const std::vector<Act>& acts : shards) {
    ActingUsers users{TrailingPeriod(spec)};
    for (const Act& act : acts) users.add({.high = 0, .low = act.user}, act.item, EventTime{act.ts});
    users.advance(EventTime{w});
    for (const ActingChange& change : users.take_changes()) table.add(change);
  }
  table.advance(EventTime{w}, EventTime{0});
  return table;
}

std::uint64_t users_of(const PopularityTable& table, Interner::Id item, std::int64_t list) {
  return table.users_of(item, table.step_of(EventTime{list}));
}

TEST(Popularity, counts_an_act_from_the_next_step_on) {
  const PopularityTable table = table_of({{{100, 1, a}, {109, 2, a}, {110, 3, a}}}, 1000);
  EXPECT_EQ(users_of(table, a, 109), 0U);
  EXPECT_EQ(users_of(table, a, 110), 2U) << "an act exactly at the step's begin is not before it";
  EXPECT_EQ(users_of(table, a, 119), 2U);
  EXPECT_EQ(users_of(table, a, 120), 3U);
}

TEST(Popularity, counts_an_act_at_the_begin_of_the_period_and_none_before_it) {
  const PopularityTable table = table_of({{{99, 1, a}, {100, 2, a}}}, 1000);
  EXPECT_EQ(users_of(table, a, 129), 2U);
  EXPECT_EQ(users_of(table, a, 130), 1U) << "the period before 130 begins at 100";
  EXPECT_EQ(users_of(table, a, 139), 1U);
  EXPECT_EQ(users_of(table, a, 140), 0U);
}

TEST(Popularity, counts_a_user_once_however_often_it_acts) {
  const PopularityTable table = table_of({{{100, 1, a}, {101, 1, a}, {115, 1, a}, {125, 1, b}, {126, 2, b}}}, 1000);
  EXPECT_EQ(users_of(table, a, 130), 1U);
  EXPECT_EQ(users_of(table, b, 130), 2U);
  EXPECT_EQ(table.users(13), 2U);
  EXPECT_EQ(users_of(table, a, 149), 1U) << "the last act counts";
  EXPECT_EQ(users_of(table, a, 150), 0U);
}

TEST(Popularity, lets_a_user_come_back) {
  const PopularityTable table = table_of({{{100, 1, a}, {150, 1, a}}}, 1000);
  EXPECT_EQ(users_of(table, a, 139), 1U);
  EXPECT_EQ(users_of(table, a, 140), 0U);
  EXPECT_EQ(users_of(table, a, 159), 0U);
  EXPECT_EQ(users_of(table, a, 160), 1U);
  EXPECT_EQ(table.users(14), 0U);
}

TEST(Popularity, takes_ties_with_the_last_of_the_top_items_as_popular) {
  constexpr Interner::Id c = 2;
  constexpr Interner::Id d = 3;
  const PopularityTable table = table_of(
      {{{100, 1, a}, {100, 2, a}, {100, 3, a}, {100, 1, b}, {100, 2, b}, {100, 1, c}, {100, 3, c}, {100, 1, d}}}, 1000);
  EXPECT_EQ(table.popular_from(11), 2U) << "a, then b and c";
}

TEST(Popularity, takes_every_item_with_a_user_as_popular_where_they_are_few) {
  const PopularityTable table = table_of({{{100, 1, a}, {100, 2, a}}}, 1000);
  EXPECT_EQ(table.popular_from(11), 1U);
  EXPECT_EQ(table.popular_from(10), 0U) << "nobody acted";
  EXPECT_EQ(table.popular_from(14), 0U) << "all have left";
}

TEST(Popularity, forgets_an_item_nobody_acts_on) {
  PopularityTable table = table_of({{{100, 1, a}}}, 1000);
  table.forget(a);
  table.add({.step = 101, .item = a, .change = 1});
  table.advance(EventTime{1010}, EventTime{0});
  EXPECT_EQ(users_of(table, a, 110), 0U);
  EXPECT_EQ(users_of(table, a, 1010), 1U);
}

// Against a recount, told in several goes by several shards, with old steps forgotten.
TEST(Popularity, equals_a_recount_at_every_step) {
  support::Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t step = dice.pick<std::int64_t>({1, 7, 10});
    const PopularitySpec spec{.period_ms = step * dice.between(1, 6), .step_ms = step, .top = 1 + dice.below(4)};
    std::vector<Act> acts;
    std::int64_t ts = 1000;
    for (int i = 0; i < 120; ++i) {
      ts += dice.percent(10) ? dice.between(0, 40) : dice.between(0, 3);
      acts.push_back({ts, dice.below(9), static_cast<Interner::Id>(dice.below(6))});
    }
    PopularityTable table(spec);
    struct Remembered {
      std::int64_t step;
      StepHistory::Lasting users;
    };
    std::map<Interner::Id, std::vector<Remembered>> remembered;
    std::vector<ActingUsers> shards;
    for (std::size_t i = 0; i < 3; ++i) shards.emplace_back(TrailingPeriod(spec));
    std::size_t next = 0;
    for (std::int64_t w = 1000; w < ts + 200; w += dice.between(1, 60)) {
      for (; next < acts.size() && acts[next].ts < w; ++next) {
        const Act& act = acts[next];
        shards[act.user % 3].add({.high = 0, .low = act.user}, act.item, EventTime{act.ts});
      }
      for (ActingUsers& shard : shards) {
        shard.advance(EventTime{w});
        for (const ActingChange& change : shard.take_changes()) table.add(change);
      }
      const std::int64_t oldest = w - 100;
      table.advance(EventTime{w}, EventTime{oldest});
      for (std::int64_t list = oldest; list < w; list += dice.between(1, 9)) {
        const std::int64_t end = list / step * step;
        std::set<std::uint64_t> users;
        std::map<Interner::Id, std::set<std::uint64_t>> of_item;
        for (const Act& act : acts) {
          if (act.ts < end - spec.period_ms || act.ts >= end) continue;
          users.insert(act.user);
          of_item[act.item].insert(act.user);
        }
        const std::int64_t at = table.step_of(EventTime{list});
        ASSERT_EQ(table.users(at), users.size());
        for (Interner::Id item = 0; item < 6; ++item) {
          ASSERT_EQ(table.users_of(item, at), of_item[item].size());
          remembered[item].push_back({at, table.lasting_users_of(item, at)});
          for (const auto& [step_then, users_then] : remembered[item]) {
            if (step_then > at || at >= users_then.until) continue;
            ASSERT_EQ(users_then.value, of_item[item].size()) << "of step " << step_then << ", until " << users_then.until;
          }
        }
        std::vector<std::uint64_t> counts;
        for (const auto& [item, who] : of_item) {
          if (!who.empty()) counts.push_back(who.size());
        }
        std::sort(counts.rbegin(), counts.rend());
        if (counts.size() > spec.top) counts.resize(spec.top);
        ASSERT_EQ(table.popular_from(at) == 0, counts.empty());
        for (const auto& [item, who] : of_item) {
          if (who.empty()) continue;
          ASSERT_EQ(who.size() >= table.popular_from(at), who.size() >= counts.back()) << "item " << item;
        }
      }
    }
  }
}

}  // namespace
}  // namespace recmeter
