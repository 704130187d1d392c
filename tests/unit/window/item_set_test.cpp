#include "recmeter/window/item_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "recmeter/window/exposure.h"
#include "support/dice.h"

namespace recmeter {
namespace {

std::vector<std::uint32_t> members(const ItemSet& set) {
  std::vector<std::uint32_t> out;
  set.for_each([&](std::uint32_t item) { out.push_back(item); });
  return out;
}

TEST(ItemSet, holds_numbers_on_both_sides_of_a_page) {
  ItemSet set;
  for (const std::uint32_t item : {4096U, 0U, 63U, 4095U, 64U, 100'000U}) set.insert(item);
  EXPECT_EQ(members(set), (std::vector<std::uint32_t>{0, 63, 64, 4095, 4096, 100'000}));
  EXPECT_FALSE(set.contains(1));
  EXPECT_FALSE(set.contains(4'000'000));
}

TEST(ItemSet, counts_a_number_once) {
  ItemSet set;
  set.insert(5);
  set.insert(5);
  EXPECT_EQ(set.size(), 1U);
}

TEST(ItemSet, costs_what_it_holds_and_not_what_it_could) {
  ItemSet near;
  ItemSet far;
  near.insert(1);
  far.insert(1'000'000);
  EXPECT_LT(far.memory_bytes(), near.memory_bytes() + 8 * 1'000'000 / ItemSet::page_bits + 1024);
}

TEST(ItemSet, is_copied_deeply) {
  ItemSet one;
  one.insert(1);
  ItemSet two = one;
  two.insert(2);
  EXPECT_FALSE(one.contains(2));
  one = two;
  EXPECT_TRUE(one.contains(2));
}

TEST(ItemSet, agrees_with_a_set_under_random_use) {
  support::Dice dice(1);
  for (int round = 0; round < 50; ++round) {
    std::array<ItemSet, 2> sets;
    std::array<std::set<std::uint32_t>, 2> models;
    for (int step = 0; step < 400; ++step) {
      const std::size_t which = dice.below(2);
      const auto item = static_cast<std::uint32_t>(dice.below(dice.percent(50) ? 300 : 20'000));
      if (dice.percent(70)) {
        sets[which].insert(item);
        models[which].insert(item);
      } else {
        sets[which].erase(item);
        models[which].erase(item);
      }
    }
    std::vector<std::uint32_t> common;
    std::ranges::set_intersection(models[0], models[1], std::back_inserter(common));
    ASSERT_EQ(sets[0].size_of_common(sets[1]), common.size());
    ASSERT_EQ(sets[1].size_of_common(sets[0]), common.size());
    sets[0].merge(sets[1]);
    models[0].merge(models[1]);
    ASSERT_TRUE(std::ranges::equal(members(sets[0]), models[0]));
    ASSERT_EQ(sets[0].size(), models[0].size());
  }
}

TEST(Exposure, enters_an_item_at_the_smallest_cutoff_that_shows_it) {
  const std::vector<std::uint32_t> cutoffs{1, 3};
  const std::vector<Interner::Id> items{10, 11, 12, 13};
  Exposure exposure;
  exposure.add(cutoffs, items);
  EXPECT_EQ(members(exposure.sets()[0]), (std::vector<std::uint32_t>{10}));
  EXPECT_EQ(members(exposure.sets()[1]), (std::vector<std::uint32_t>{11, 12})) << "rank 4 is beyond every cutoff";
}

TEST(Exposure, leaves_out_ranks_nobody_reported) {
  const std::vector<std::uint32_t> cutoffs{5};
  const std::vector<Interner::Id> items{Interner::none, 11};
  Exposure exposure;
  exposure.add(cutoffs, items);
  EXPECT_EQ(members(exposure.sets()[0]), std::vector<std::uint32_t>{11});
}

TEST(Exposure, is_the_same_in_other_numbers) {
  const std::vector<std::uint32_t> cutoffs{1, 2};
  const std::vector<Interner::Id> items{0, 2};
  Exposure exposure;
  exposure.add(cutoffs, items);
  const Exposure other = exposure.translated(std::vector<std::uint32_t>{7, 8, 9});
  EXPECT_EQ(members(other.sets()[0]), std::vector<std::uint32_t>{7});
  EXPECT_EQ(members(other.sets()[1]), std::vector<std::uint32_t>{9});
}

}  // namespace
}  // namespace recmeter
