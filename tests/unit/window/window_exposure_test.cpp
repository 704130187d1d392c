#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "recmeter/window/running_exposure.h"
#include "recmeter/window/sliding_window.h"
#include "support/effort.h"
#include "window/overlap.h"
#include "window_model.h"

namespace recmeter {
namespace {

using test::ShownList;

const std::vector<std::uint32_t> cutoffs{1, 3};

std::vector<Interner::Id> first_ranks(std::vector<Interner::Id> items) {
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (std::find(items.begin(), item, *item) != item) *item = Interner::none;
  }
  return items;
}

constexpr std::size_t compared_lists = 4;

std::uint64_t hash_of(const ShownList& list) {
  return static_cast<std::uint64_t>(list.ts) * 0x9E3779B97F4A7C15U;
}

SegmentPanes<Exposure> pane_of(const std::vector<const ShownList*>& lists, const std::vector<SegmentBound>& bounds,
                               bool counts) {
  SegmentPanes<Exposure> pane;
  pane.combinations.resize(2);
  for (const ShownList* list : lists) {
    bool moved = false;
    for (Exposure* cell :
         {&pane.combinations[0].at({}, bounds[0], moved), &pane.combinations[1].at({list->value}, bounds[1], moved)}) {
      counts ? cell->add_counts(cutoffs, first_ranks(list->items)) : cell->add(cutoffs, list->items);
      cell->add_compared(cutoffs, first_ranks(list->items), hash_of(*list), list->group, compared_lists);
    }
  }
  return pane;
}

std::set<Interner::Id> shown(const std::vector<const ShownList*>& lists, std::uint32_t k) {
  std::set<Interner::Id> items;
  for (const ShownList* list : lists) {
    for (std::size_t i = 0; i < std::min<std::size_t>(k, list->items.size()); ++i) items.insert(list->items[i]);
  }
  return items;
}

// Against the lists added to one pane; tests/laws holds one pane against plain sums.
void compare_levels(const std::vector<const ShownList*>& lists, std::uint32_t k, const ItemSet* catalog,
                    const ExposureSnapshot& actual) {
  Exposure all;
  for (const ShownList* list : lists) all.add_counts(std::array{k}, first_ranks(list->items));
  const ExposurePlan plan{.cutoffs = {k}};
  RunningExposure running(1, &plan, catalog);
  running.enter(all);
  const ExposureSnapshot expected = running.snapshot().front();
  const auto same = [](const CountLevel& a, const CountLevel& b) { return a.lists == b.lists && a.items == b.items; };
  ASSERT_TRUE(std::ranges::equal(actual.levels, expected.levels, same));
  ASSERT_TRUE(std::ranges::equal(actual.levels_in_catalog, expected.levels_in_catalog, same));
}

void compare_overlap(const std::vector<const ShownList*>& lists, std::uint32_t k, const ExposureSnapshot& actual) {
  ListSample all;
  for (const ShownList* list : lists) all.add(hash_of(*list), list->group, first_ranks(list->items), compared_lists);
  const OverlapFacts expected = overlap_of(std::array<const ListSample*, 1>{&all}, k, compared_lists);
  ASSERT_EQ(actual.overlap->lists, expected.lists);
  ASSERT_TRUE(actual.overlap->shared == expected.shared);
}

void compare(std::uint64_t seed, const ItemSet* catalog) {
  support::Dice dice(seed);
  const bool counts = seed % 2 == 0;
  const auto lists = test::random_lists(dice);
  const WindowSpec window = test::random_window(dice);
  const std::size_t values_max = dice.below(6);
  const auto segments = test::one_key();
  const auto bounds = segment_bounds(segments, values_max);
  const std::size_t c = seed / 2 % 2;  // the whole, or by value
  const ExposurePlan plan{.cutoffs = cutoffs, .compared_lists = compared_lists};
  const auto panes = static_cast<std::size_t>(window.size.ms / window.slide.ms);
  SlidingWindow<RunningExposure> sliding(window, bounds[c], c, [&] { return RunningExposure(panes, &plan, catalog); });
  const auto check = [&](EventTime start, auto of_window) {
    const WindowExposure actual = snapshot_of(of_window);
    const test::Segments expected = test::segments_of(lists, start, window.size, values_max);
    for (const auto& [values, facts] : actual) {
      ASSERT_TRUE(expected.contains({c, values})) << "seed " << seed;
      ASSERT_EQ(facts.size(), cutoffs.size());
      for (std::size_t k = 0; k < cutoffs.size(); ++k) {
        const auto items = shown(expected.at({c, values}), cutoffs[k]);
        const auto in_catalog = std::count_if(
            items.begin(), items.end(), [&](Interner::Id item) { return catalog == nullptr || catalog->contains(item); });
        ASSERT_EQ(facts[k].distinct, items.size()) << "seed " << seed;
        ASSERT_EQ(facts[k].distinct_in_catalog, static_cast<std::uint64_t>(in_catalog)) << "seed " << seed;
        if (counts) compare_levels(expected.at({c, values}), cutoffs[k], catalog, facts[k]);
        compare_overlap(expected.at({c, values}), cutoffs[k], facts[k]);
      }
    }
    ASSERT_EQ(actual.size(), test::count_of(expected, c)) << "seed " << seed;
  };
  const Duration width{window.slide.ms % 2 == 0 ? window.slide.ms / 2 : window.slide.ms};
  test::for_each_pane(lists, width, window.offset, [&](EventTime start, const auto& of_pane) {
    sliding.advance(start, check);
    sliding.add(start, std::move(pane_of(of_pane, bounds, counts).combinations[c]));
  });
  sliding.advance(plus_infinity, check);
}

TEST(WindowExposure, agrees_with_looking_at_each_window_by_itself) {
  for (std::uint64_t seed = 1; seed <= support::effort(150); ++seed) compare(seed, nullptr);
}

TEST(WindowExposure, counts_what_belongs_to_the_catalogue_besides) {
  ItemSet catalog;
  for (std::uint32_t item = 0; item < 15; item += 2) catalog.insert(item);
  for (std::uint64_t seed = 1; seed <= support::effort(150); ++seed) compare(seed, &catalog);
}

}  // namespace
}  // namespace recmeter
