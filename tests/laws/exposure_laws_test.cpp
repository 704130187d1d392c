// Exposure against plain sets: any order, any split, panes that come and go.
#include <gtest/gtest.h>

#include <algorithm>
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

Exposure exposure_of(std::span<const Items> lists) {
  Exposure exposure;
  for (const Items& list : lists) exposure.add(cutoffs, list);
  return exposure;
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
    for (const Items& list : lists) parts[dice.below(parts.size())].add(cutoffs, list);
    dice.shuffle(parts);
    Exposure merged;  // empty: the identity
    for (const Exposure& part : parts) merged.merge(part);
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      ASSERT_EQ(shown(exposure_of(lists), c), shown(lists, c));
      ASSERT_EQ(shown(merged, c), shown(lists, c));
    }
  }
}

TEST(Exposure, merge_is_idempotent_and_leaves_its_argument_alone) {
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
    const Exposure translated = exposure_of(lists).translated(to);
    for (Items& list : lists) {
      for (Interner::Id& item : list) item = item == Interner::none ? item : to[item];
    }
    for (std::size_t c = 0; c < cutoffs.size(); ++c) ASSERT_EQ(shown(translated, c), shown(lists, c));
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
        ASSERT_EQ(sliding.facts(c).distinct, expected.size());
        ASSERT_EQ(sliding.facts(c).distinct_in_catalog,
                  static_cast<std::uint64_t>(std::count_if(expected.begin(), expected.end(),
                                                           [&](std::uint32_t item) { return catalog.contains(item); })));
      }
    }
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
