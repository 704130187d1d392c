// Exposure against plain sets: any order, any split, panes that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "recmeter/window/exposure.h"
#include "recmeter/window/sliding_exposure.h"
#include "support/dice.h"

namespace recmeter::laws {
namespace {

using support::Dice;
using Items = std::vector<Interner::Id>;

const std::vector<std::uint32_t> cutoffs{1, 3, 10};

// Ids near each other and far apart: pages of ItemSet begin at multiples of 4096, of SlidingExposure at multiples of 1024.
std::vector<Items> random_lists(Dice& dice, std::size_t count) {
  const Items ids{0, 1, 2, 63, 64, 65, 1023, 1024, 4095, 4096, 4097, 9000, 70000, Interner::none};
  std::vector<Items> lists(count);
  for (Items& list : lists) {
    for (std::size_t length = dice.below(13); length > 0; --length) list.push_back(dice.pick(ids));
  }
  return lists;
}

// A list with each item at its first rank alone.
Items first_ranks(const Items& list) {
  Items items = list;
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (std::find(items.begin(), item, *item) != item) *item = Interner::none;
  }
  return items;
}

// Every list has a user; which depends on its items alone, so that the same lists are always of the same groups.
std::size_t group_of(const Items& list) {
  return (list.size() * 7 + (list.empty() ? 0 : list.front())) % user_groups;
}

void add(Exposure& exposure, const Items& list) {
  exposure.add(cutoffs, list);
  exposure.add_counts(cutoffs, first_ranks(list));
  exposure.add_overlap(cutoffs, first_ranks(list), group_of(list));
}

Exposure exposure_of(std::span<const Items> lists) {
  Exposure exposure;
  for (const Items& list : lists) add(exposure, list);
  return exposure;
}

// What a window of this one pane publishes.
ExposureSnapshot alone(const Exposure& exposure, std::size_t c, const ItemSet* catalog = nullptr) {
  SlidingExposure sliding(1);
  sliding.enter(0, exposure, catalog);
  return sliding.snapshot(c, catalog);
}

using Levels = std::map<std::uint64_t, std::uint64_t>;
Levels plain(std::span<const CountLevel> levels) {
  EXPECT_TRUE(std::is_sorted(levels.begin(), levels.end(), [](auto a, auto b) { return a.lists < b.lists; }));
  Levels out;
  for (const CountLevel& level : levels) out[level.lists] = level.items;
  return out;
}

void expect_same(const ExposureSnapshot& a, const ExposureSnapshot& b) {
  ASSERT_EQ(a.distinct, b.distinct);
  ASSERT_EQ(a.distinct_in_catalog, b.distinct_in_catalog);
  ASSERT_EQ(plain(a.levels), plain(b.levels));
  ASSERT_EQ(plain(a.levels_in_catalog), plain(b.levels_in_catalog));
  const OverlapFacts none;
  const OverlapFacts& x = a.overlap ? *a.overlap : none;
  const OverlapFacts& y = b.overlap ? *b.overlap : none;
  ASSERT_TRUE(x.shared == y.shared);
  ASSERT_EQ(x.lists, y.lists);
}

// The levels of the top cutoffs[c], list by list.
Levels levels_of(std::span<const Items> lists, std::size_t c, const ItemSet* catalog = nullptr) {
  std::map<Interner::Id, std::uint64_t> counts;
  for (const Items& list : lists) {
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(cutoffs[c], list.size()));
    for (const Interner::Id item : std::set(list.begin(), end)) {
      if (item != Interner::none && (catalog == nullptr || catalog->contains(item))) ++counts[item];
    }
  }
  Levels levels;
  for (const auto& [item, count] : counts) ++levels[count];
  return levels;
}

// Pair by pair.
OverlapFacts overlap_of(std::span<const Items> lists, std::size_t c) {
  OverlapFacts facts;
  std::vector<std::pair<std::size_t, std::set<Interner::Id>>> tops;
  for (const Items& list : lists) {
    std::set<Interner::Id> top(list.begin(),
                               list.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(cutoffs[c], list.size())));
    top.erase(Interner::none);
    if (top.empty()) continue;
    ++facts.lists[group_of(list)];
    tops.emplace_back(group_of(list), std::move(top));
  }
  const auto weight = [](const auto& top) { return Int128{std::llround(std::ldexp(1 / std::sqrt(top.size()), 32))}; };
  for (const auto& [group, top] : tops) {
    for (const auto& [other, other_top] : tops) {
      if (group == other) continue;
      for (const Interner::Id item : top) {
        if (other_top.contains(item)) facts.shared[group] += weight(top) * weight(other_top);
      }
    }
  }
  return facts;
}

// The items shown in the top cutoffs[c].
std::set<Interner::Id> shown(std::span<const Items> lists, std::size_t c) {
  std::set<Interner::Id> items;
  for (const Items& list : lists) {
    items.insert(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(cutoffs[c], list.size())));
  }
  items.erase(Interner::none);
  return items;
}

std::set<Interner::Id> shown(const Exposure& exposure, std::size_t c) {
  std::set<Interner::Id> items;
  for (std::size_t set = 0; set <= c && set < exposure.sets().size(); ++set) {
    exposure.sets()[set].for_each([&](std::uint32_t item) { items.insert(item); });
  }
  return items;
}

TEST(Exposure, holds_what_was_shown_in_any_order_and_any_split) {
  Dice dice(11);
  for (int round = 0; round < 300; ++round) {
    auto lists = random_lists(dice, dice.below(20));
    std::vector<Exposure> parts(1 + dice.below(4));
    for (const Items& list : lists) add(parts[dice.below(parts.size())], list);
    dice.shuffle(parts);
    Exposure merged;  // empty: the identity
    for (const Exposure& part : parts) merged.merge(part);
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      ASSERT_EQ(shown(exposure_of(lists), c), shown(lists, c));
      ASSERT_EQ(shown(merged, c), shown(lists, c));
      expect_same(alone(merged, c), alone(exposure_of(lists), c));
    }
  }
}

TEST(Exposure, counts_each_list_once_an_item_and_each_pair_of_lists_of_two_groups) {
  Dice dice(16);
  for (int round = 0; round < 100; ++round) {
    const auto lists = random_lists(dice, dice.below(12));
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      const ExposureSnapshot snapshot = alone(exposure_of(lists), c);
      ASSERT_EQ(plain(snapshot.levels), levels_of(lists, c));
      const OverlapFacts expected = overlap_of(lists, c);
      const OverlapFacts actual = snapshot.overlap ? *snapshot.overlap : OverlapFacts{};
      ASSERT_TRUE(actual.shared == expected.shared);
      ASSERT_EQ(actual.lists, expected.lists);
    }
  }
}

TEST(Exposure, sets_merge_idempotently_and_merge_leaves_its_argument_alone) {
  Dice dice(12);
  for (int round = 0; round < 100; ++round) {
    const auto lists = random_lists(dice, 1 + dice.below(10));
    const Exposure once = exposure_of(lists);
    Exposure twice = once;
    twice.merge(once);
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      ASSERT_EQ(shown(twice, c), shown(lists, c));
      ASSERT_EQ(shown(once, c), shown(lists, c));
    }
  }
}

TEST(Exposure, translated_holds_the_same_items_in_other_numbers) {
  Dice dice(13);
  Items to(70001);
  for (std::size_t id = 0; id < to.size(); ++id) to[id] = static_cast<Interner::Id>((id * 7919) % 70001);
  for (int round = 0; round < 20; ++round) {
    auto lists = random_lists(dice, 1 + dice.below(10));
    std::vector<OverlapFacts> overlap_before;  // which items two lists share does not depend on their numbers
    for (std::size_t c = 0; c < cutoffs.size(); ++c) overlap_before.push_back(overlap_of(lists, c));
    const Exposure translated = exposure_of(lists).translated(to);
    for (Items& list : lists) {
      for (Interner::Id& item : list) item = item == Interner::none ? item : to[item];
    }
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      ASSERT_EQ(shown(translated, c), shown(lists, c));
      ASSERT_EQ(plain(alone(translated, c).levels), levels_of(lists, c));
      ASSERT_TRUE(alone(translated, c).overlap->lists == overlap_before[c].lists);
      ASSERT_TRUE(alone(translated, c).overlap->shared == overlap_before[c].shared);
    }
  }
}

TEST(SlidingExposure, counts_what_the_panes_inside_show) {
  Dice dice(14);
  ItemSet catalog;
  for (const std::uint32_t item : {0U, 64U, 1024U, 4096U, 70000U}) catalog.insert(item);
  for (int round = 0; round < 100; ++round) {
    const std::size_t width = 1 + dice.below(5);
    SlidingExposure sliding(width);
    std::vector<std::vector<Items>> panes;
    for (std::uint32_t pane = 0; pane < 15; ++pane) {
      panes.push_back(random_lists(dice, dice.below(4)));
      if (pane >= width) sliding.leave(pane - static_cast<std::uint32_t>(width), exposure_of(panes[pane - width]), &catalog);
      sliding.enter(pane, exposure_of(panes.back()), &catalog);
      std::vector<Items> inside;
      for (std::size_t p = pane >= width ? pane - width + 1 : 0; p <= pane; ++p) {
        inside.insert(inside.end(), panes[p].begin(), panes[p].end());
      }
      for (std::size_t c = 0; c < cutoffs.size(); ++c) {
        const auto expected = shown(inside, c);
        const ExposureSnapshot actual = sliding.snapshot(c, &catalog);
        expect_same(actual, alone(exposure_of(inside), c, &catalog));
        ASSERT_EQ(plain(actual.levels), levels_of(inside, c));
        ASSERT_EQ(plain(actual.levels_in_catalog), levels_of(inside, c, &catalog));
        ASSERT_EQ(actual.distinct, expected.size());
        ASSERT_EQ(actual.distinct_in_catalog,
                  static_cast<std::uint64_t>(std::count_if(expected.begin(), expected.end(),
                                                           [&](std::uint32_t item) { return catalog.contains(item); })));
      }
    }
  }
}

TEST(SumTable, is_a_map_of_sums_that_are_not_zero) {
  Dice dice(17);
  for (int round = 0; round < 100; ++round) {
    SumTable table;
    SumTable other;
    std::map<std::uint64_t, std::uint64_t> model;
    const std::size_t keys = dice.pick<std::size_t>({3, 40, 3000});
    for (int step = 0; step < 2000; ++step) {
      const std::uint64_t key = dice.below(keys) * (dice.percent(50) ? 1 : 4096);
      const std::uint64_t by = dice.percent(40) ? -table.at(key) : dice.below(3);
      model[key] += by;
      ASSERT_EQ(table.add(key, by), model[key]);
      if (model[key] == 0) model.erase(key);
      if (dice.percent(10)) other.add(key, 1);
    }
    std::map<std::uint64_t, std::uint64_t> held;
    table.for_each([&](std::uint64_t key, std::uint64_t sum) { held[key] = sum; });
    ASSERT_EQ(held, model);
    ASSERT_EQ(table.size(), model.size());
    table.merge(other);
    other.for_each([&](std::uint64_t key, std::uint64_t sum) { model[key] += sum; });
    for (const auto& [key, sum] : model) ASSERT_EQ(table.at(key), sum);
    ASSERT_EQ(table.size(), model.size());
  }
}

TEST(ItemSet, is_a_set) {
  Dice dice(15);
  for (int round = 0; round < 100; ++round) {
    ItemSet set;
    ItemSet other;
    std::set<std::uint32_t> plain;
    std::set<std::uint32_t> plain_other;
    for (int step = 0; step < 200; ++step) {
      const auto item = static_cast<std::uint32_t>(dice.below(dice.percent(50) ? 200 : 9000));
      if (dice.percent(70)) {
        set.insert(item);
        plain.insert(item);
      } else {
        set.erase(item);
        plain.erase(item);
      }
      if (dice.percent(30)) {
        other.insert(item);
        plain_other.insert(item);
      }
      ASSERT_EQ(set.contains(item), plain.contains(item));
    }
    ASSERT_EQ(set.size(), plain.size());
    std::vector<std::uint32_t> common;
    std::set_intersection(plain.begin(), plain.end(), plain_other.begin(), plain_other.end(), std::back_inserter(common));
    ASSERT_EQ(set.size_of_common(other), common.size());
    ItemSet merged = set;
    merged.merge(other);
    plain.insert(plain_other.begin(), plain_other.end());
    ASSERT_EQ(merged.size(), plain.size());
  }
}

}  // namespace
}  // namespace recmeter::laws
