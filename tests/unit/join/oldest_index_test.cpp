#include "recmeter/join/oldest_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Sequences = std::vector<std::uint64_t>;

Sequences from_oldest(const OldestIndex& index, std::uint64_t key) {
  Sequences found;
  for (auto at = index.oldest(key); at != 0; at = index.newer(at)) found.push_back(index.sequence(at));
  return found;
}

TEST(OldestIndex, stays_sorted_when_a_late_row_brings_an_older_list) {
  OldestIndex index;
  for (const std::uint64_t sequence : {1U, 5U, 9U, 3U, 7U, 0U}) index.add(42, sequence);
  EXPECT_EQ(from_oldest(index, 42), (Sequences{0, 1, 3, 5, 7, 9}));
}

TEST(OldestIndex, holds_a_list_once_however_often_it_shows_the_item) {
  OldestIndex index;
  for (const std::uint64_t sequence : {4U, 4U, 6U, 4U, 6U}) index.add(1, sequence);
  EXPECT_EQ(from_oldest(index, 1), (Sequences{4, 6}));
}

TEST(OldestIndex, forgets_only_the_first_posting_and_only_if_it_is_the_one) {
  OldestIndex index;
  index.add(1, 4);
  index.add(1, 6);
  index.forget(1, 6);
  EXPECT_EQ(from_oldest(index, 1), (Sequences{4, 6}));
  index.forget(1, 4);
  EXPECT_EQ(from_oldest(index, 1), Sequences{6});
  index.forget(2, 6);
  index.forget(1, 6);
  EXPECT_TRUE(from_oldest(index, 1).empty());
}

TEST(OldestIndex, agrees_with_sets_under_random_use) {
  support::Dice dice(1);
  OldestIndex index;
  std::map<std::uint64_t, std::set<std::uint64_t>> model;
  std::uint64_t newest = 10;
  std::uint64_t oldest = 0;
  for (int step = 0; step < 30'000; ++step) {
    newest += dice.below(2);
    const std::uint64_t key = dice.below(200) * 0x10000;
    const std::uint64_t sequence = std::max(oldest, newest - dice.below(5));
    index.add(key, sequence);
    model[key].insert(sequence);
    if (newest - oldest > 60) {
      for (auto& [forgotten_key, sequences] : model) {
        index.forget(forgotten_key, oldest);
        sequences.erase(oldest);
      }
      ++oldest;
    }
    const auto& expected = model[key];
    ASSERT_TRUE(std::ranges::equal(from_oldest(index, key), expected)) << step;
  }
}

}  // namespace
}  // namespace recmeter
