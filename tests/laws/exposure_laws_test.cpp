// Exposure against plain sets: any order, any split, panes that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "recmeter/event/join_key.h"
#include "recmeter/window/exposure.h"
#include "recmeter/window/running_exposure.h"
#include "support/dice.h"
#include "support/effort.h"
#include "window/overlap.h"

namespace recmeter::laws {
namespace {

using support::Dice;
using Items = std::vector<Interner::Id>;

const std::vector<std::uint32_t> cutoffs{1, 3, 10};

// Ids near each other and far apart: pages of ItemSet begin at multiples of 4096, of RunningExposure at multiples of 1024.
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

constexpr std::size_t every_list = 1000;

std::uint64_t hash_of(const Items& list) {
  std::uint64_t hash = 1;
  for (const Interner::Id item : list) hash = (hash ^ item) * 0xD6E8FEB86659FD93U;
  return hash;
}

enum class Keep { sets, counts, both };

void add(Exposure& exposure, const Items& list, Keep keep = Keep::both) {
  if (keep != Keep::counts) exposure.add(cutoffs, list);
  if (keep != Keep::sets) exposure.add_counts(cutoffs, first_ranks(list));
  exposure.add_compared(cutoffs, first_ranks(list), hash_of(list), group_of(list), every_list);
}

Exposure exposure_of(std::span<const Items> lists, Keep keep = Keep::both) {
  Exposure exposure;
  for (const Items& list : lists) add(exposure, list, keep);
  return exposure;
}

// What a window of this one pane publishes.
ExposureSnapshot alone(const Exposure& exposure, std::size_t c, const ItemSet* catalog = nullptr) {
  const ExposurePlan plan{.cutoffs = cutoffs};
  RunningExposure running(1, &plan, catalog);
  running.enter(exposure);
  return running.snapshot()[c];
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
}

void expect_same(const OverlapFacts& a, const OverlapFacts& b) {
  ASSERT_TRUE(a.shared == b.shared);
  ASSERT_EQ(a.lists, b.lists);
}

OverlapFacts overlap_of(const Exposure& exposure, std::size_t c) {
  return recmeter::overlap_of(std::array{&exposure.sample()}, cutoffs[c], every_list);
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
  for (std::uint64_t round = 0; round < support::effort(300); ++round) {
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
      expect_same(overlap_of(merged, c), overlap_of(lists, c));
    }
  }
}

TEST(Exposure, counts_each_list_once_an_item_and_each_pair_of_lists_of_two_groups) {
  Dice dice(16);
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
    const auto lists = random_lists(dice, dice.below(12));
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      const ExposureSnapshot snapshot = alone(exposure_of(lists), c);
      ASSERT_EQ(plain(snapshot.levels), levels_of(lists, c));
      expect_same(overlap_of(exposure_of(lists), c), overlap_of(lists, c));
    }
  }
}

TEST(Exposure, sets_merge_idempotently_and_merge_leaves_its_argument_alone) {
  Dice dice(12);
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
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
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
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
      expect_same(overlap_of(translated, c), overlap_before[c]);
    }
  }
}

// The sample of the definition, by sorting.
std::vector<std::uint64_t> drawn(std::vector<std::uint64_t> hashes, std::size_t lists_max) {
  for (int zeros = 0; hashes.size() > lists_max; ++zeros) {
    std::erase_if(hashes, [zeros](std::uint64_t hash) { return zeros == 64 || hash >> (63 - zeros) != 0; });
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

// Of lists that show one item each, which is the list's number.
std::vector<std::uint64_t> held(std::span<const ListSample* const> parts, std::size_t lists_max,
                                std::span<const std::uint64_t> hashes) {
  std::size_t threshold = 0;
  std::vector<std::uint64_t> out;
  do {
    out.clear();
    for (const ListSample* part : parts) {
      if (part->threshold() > threshold) threshold = part->threshold();
    }
    for (const ListSample* part : parts) {
      part->for_each_from(threshold,
                          [&](std::size_t, std::span<const Interner::Id> items) { out.push_back(hashes[items[0]]); });
    }
    ++threshold;
  } while (out.size() > lists_max);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(ListSample, is_a_function_of_the_set_of_lists_and_never_larger_than_asked_for) {
  Dice dice(18);
  for (std::uint64_t round = 0; round < support::effort(300); ++round) {
    const std::size_t lists_max = dice.pick<std::size_t>({2, 5, 16, 100});
    std::vector<std::uint64_t> hashes(dice.below(200));
    for (std::uint64_t& hash : hashes)
      hash = dice.percent(5) ? dice.below(3) : dice.below(std::numeric_limits<std::size_t>::max());
    std::vector<ListSample> parts(1 + dice.below(5));
    for (Interner::Id list = 0; list < hashes.size(); ++list) {
      parts[dice.below(parts.size())].add(hashes[list], list % user_groups, std::array{list}, lists_max);
    }
    const auto expected = drawn(hashes, lists_max);
    std::vector<const ListSample*> views;
    for (const ListSample& part : parts) {
      ASSERT_LE(part.lists_from(part.threshold()), lists_max);
      views.push_back(&part);
    }
    ASSERT_EQ(held(views, lists_max, hashes), expected) << "put side by side";
    ListSample merged;
    for (const ListSample& part : parts) merged.merge(part);
    ASSERT_EQ(held(std::array<const ListSample*, 1>{&merged}, lists_max, hashes), expected) << "merged";
    const OverlapFacts apart = recmeter::overlap_of(views, 1, lists_max);
    expect_same(apart, recmeter::overlap_of(std::array<const ListSample*, 1>{&merged}, 1, lists_max));
    ASSERT_EQ(std::accumulate(apart.lists.begin(), apart.lists.end(), std::uint64_t{0}), expected.size());
  }
}

TEST(ListSample, draws_whom_a_list_was_shown_to_by_chance) {
  Dice dice(19);
  ListSample sample;
  constexpr std::size_t lists = 100'000;
  for (std::size_t list = 0; list < lists; ++list) {
    const std::size_t group = list % 5 == 0 ? 7 : list % user_groups;  // one user has a fifth of all
    sample.add(hash_list("list " + std::to_string(list), EventTime{static_cast<std::int64_t>(list)}), group, {}, 4096);
  }
  const std::size_t held = sample.lists_from(sample.threshold());
  EXPECT_GT(held, 2048U * 9 / 10);
  std::size_t of_heavy = 0;
  sample.for_each_from(sample.threshold(), [&](std::size_t group, auto) { of_heavy += group == 7 ? 1U : 0U; });
  EXPECT_NEAR(static_cast<double>(of_heavy) / static_cast<double>(held), 0.2 + 0.8 / 64, 0.03);
  EXPECT_LT(sample.memory_bytes(), 100'000U);
}

TEST(RunningExposure, counts_what_the_panes_inside_show) {
  Dice dice(14);
  ItemSet catalog;
  for (const std::uint32_t item : {0U, 64U, 1024U, 4096U, 70000U}) catalog.insert(item);
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
    const std::size_t width = 1 + dice.below(5);
    const Keep keep = round % 2 == 0 ? Keep::sets : Keep::counts;
    const ExposurePlan plan{.cutoffs = cutoffs};
    RunningExposure moving(width, &plan, &catalog);
    std::vector<std::vector<Items>> panes;
    std::deque<Exposure> held;
    for (std::uint32_t pane = 0; pane < 15; ++pane) {
      panes.push_back(random_lists(dice, dice.below(4)));
      if (pane >= width && width == 1) moving = RunningExposure(width, &plan, &catalog);
      if (pane >= width && width > 1) moving.leave(held[pane - width]);
      moving.enter(held.emplace_back(exposure_of(panes.back(), keep)));
      std::vector<Items> inside;
      for (std::size_t p = pane >= width ? pane - width + 1 : 0; p <= pane; ++p) {
        inside.insert(inside.end(), panes[p].begin(), panes[p].end());
      }
      for (std::size_t c = 0; c < cutoffs.size(); ++c) {
        const auto expected = shown(inside, c);
        const ExposureSnapshot actual = moving.snapshot()[c];
        expect_same(actual, alone(exposure_of(inside, keep), c, &catalog));
        ASSERT_EQ(plain(actual.levels), keep == Keep::sets ? Levels{} : levels_of(inside, c));
        ASSERT_EQ(plain(actual.levels_in_catalog), keep == Keep::sets ? Levels{} : levels_of(inside, c, &catalog));
        ASSERT_EQ(actual.distinct, expected.size());
        ASSERT_EQ(actual.distinct_in_catalog,
                  static_cast<std::uint64_t>(std::count_if(expected.begin(), expected.end(),
                                                           [&](std::uint32_t item) { return catalog.contains(item); })));
      }
    }
  }
}

// Items of an even id have a score at odd ranks, so that an item may have one in some lists and not in others.
std::vector<std::uint8_t> scored_ranks(const Items& list) {
  std::vector<std::uint8_t> scored;
  for (std::size_t rank = 1; rank <= list.size(); ++rank) scored.push_back(rank % 2 == 1 && list[rank - 1] % 2 == 0 ? 1 : 0);
  return scored;
}

TEST(RunningExposure, counts_what_has_a_score_beside_the_tops) {
  Dice dice(15);
  ItemSet catalog;
  for (const std::uint32_t item : {0U, 64U, 1024U, 4096U, 70000U}) catalog.insert(item);
  const std::vector<std::uint32_t> with_scored{scored_items, 1, 3, 10};
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
    const std::size_t width = 1 + dice.below(4);
    const bool counts = dice.percent(50);
    const ExposurePlan plan{.cutoffs = with_scored};
    RunningExposure moving(width, &plan, &catalog);
    std::vector<std::vector<Items>> panes;
    std::deque<Exposure> held;
    for (std::size_t pane = 0; pane < 12; ++pane) {
      panes.push_back(random_lists(dice, dice.below(4)));
      Exposure& exposure = held.emplace_back();
      for (const Items& list : panes.back()) {
        counts ? exposure.add_counts(with_scored, first_ranks(list)) : exposure.add(with_scored, list);
        exposure.add_scored(with_scored, list, scored_ranks(list));
      }
      if (pane >= width && width == 1) moving = RunningExposure(width, &plan, &catalog);
      if (pane >= width && width > 1) moving.leave(held[pane - width]);
      moving.enter(exposure);
      std::vector<Items> inside;
      std::set<Interner::Id> scored;
      for (std::size_t p = pane >= width ? pane - width + 1 : 0; p <= pane; ++p) {
        for (const Items& list : panes[p]) {
          inside.push_back(list);
          for (std::size_t i = 0; i < list.size(); ++i) {
            if (scored_ranks(list)[i] != 0 && list[i] != Interner::none) scored.insert(list[i]);
          }
        }
      }
      const auto in_catalog = std::ranges::count_if(scored, [&](Interner::Id item) { return catalog.contains(item); });
      const std::vector<ExposureSnapshot> actual = moving.snapshot();
      ASSERT_EQ(actual[0].distinct, scored.size());
      ASSERT_EQ(actual[0].distinct_in_catalog, static_cast<std::uint64_t>(in_catalog));
      for (std::size_t c = 0; c < cutoffs.size(); ++c) {
        expect_same(actual[c + 1], alone(exposure_of(inside, counts ? Keep::counts : Keep::sets), c, &catalog));
      }
    }
  }
}

TEST(ShowCounts, count_what_was_added_in_whatever_parts_it_came) {
  Dice dice(17);
  std::vector<std::uint32_t> to(9000);
  std::map<std::uint32_t, std::uint32_t> from;
  for (std::uint32_t id = 0; id < to.size(); ++id) from[to[id] = (id * 7919 + 11) % 9001] = id;
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
    std::vector<ShowCounts> parts(1 + dice.below(4));
    std::map<std::uint32_t, std::uint32_t> model;
    const std::size_t items = dice.pick<std::size_t>({3, 40, 9000});
    for (std::size_t step = dice.below(12'000); step > 0; --step) {
      const auto item = static_cast<Interner::Id>(dice.below(items));
      parts[dice.below(parts.size())].add(item);
      ++model[item];
      if (dice.below(1000) > 0) continue;
      parts.emplace_back();
      std::swap(parts[dice.below(parts.size())], parts.back());  // a part may be whole before others begin
    }
    ShowCounts merged;
    for (const ShowCounts& part : parts) merged.merge(part);
    std::map<std::uint32_t, std::uint32_t> held;
    merged.for_each([&](std::uint32_t item, std::uint32_t lists) { held[item] += lists; });
    ASSERT_EQ(held, model);
    std::size_t translated = 0;
    merged.translated(to).for_each([&](std::uint32_t item, std::uint32_t lists) {
      ASSERT_EQ(lists, model[from[item]]);
      ++translated;
    });
    ASSERT_EQ(translated, model.size()) << "an item has one part";
    ASSERT_LT(merged.memory_bytes(), 100 * std::max<std::size_t>(model.size(), 256));
  }
}

TEST(ItemSet, is_a_set) {
  Dice dice(15);
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
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
