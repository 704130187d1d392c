#include "recmeter/join/newest_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Sequences = std::vector<std::uint64_t>;

Sequences postings(const NewestIndex& index, std::uint64_t key) {
  Sequences found;
  for (auto at = index.newest(key); at != 0; at = index.older(at)) found.push_back(index.sequence(at));
  return found;
}

TEST(NewestIndex, stays_sorted_when_a_late_row_brings_an_older_list) {
  NewestIndex index;
  for (const std::uint64_t sequence : {1U, 5U, 9U, 3U, 7U, 0U}) index.add(42, sequence);
  EXPECT_EQ(postings(index, 42), (Sequences{9, 7, 5, 3, 1, 0}));
}

TEST(NewestIndex, holds_a_list_once_however_often_it_shows_the_item) {
  NewestIndex index;
  for (const std::uint64_t sequence : {4U, 4U, 6U, 4U, 6U}) index.add(1, sequence);
  EXPECT_EQ(postings(index, 1), (Sequences{6, 4}));
}

TEST(NewestIndex, forgets_what_is_older_whatever_order_it_came_in) {
  NewestIndex index;
  for (const std::uint64_t sequence : {5U, 9U, 3U, 7U}) index.add(1, sequence);
  index.add(2, 4);
  index.forget_before(5);
  EXPECT_EQ(postings(index, 1), (Sequences{9, 7, 5}));
  EXPECT_TRUE(postings(index, 2).empty());
  index.forget_before(100);
  EXPECT_TRUE(postings(index, 1).empty());
  index.add(1, 100);
  EXPECT_EQ(postings(index, 1), Sequences{100});
}

// Keys that come once, as list ids do, beside keys that come again and again.
TEST(NewestIndex, agrees_with_sets_under_random_use) {
  support::Dice dice(1);
  NewestIndex index;
  std::map<std::uint64_t, std::set<std::uint64_t>> model;
  std::uint64_t newest = 10;
  std::uint64_t oldest = 0;
  for (std::uint64_t step = 0; step < 30'000; ++step) {
    newest += dice.below(2);
    const std::uint64_t key = dice.percent(30) ? 1'000'000 + step : dice.below(200) * 0x10000;
    const std::uint64_t sequence = std::max(oldest, newest - dice.below(5));
    index.add(key, sequence);
    model[key].insert(sequence);
    if (newest - oldest > 60) {
      oldest += 1 + dice.below(3);
      index.forget_before(oldest);
    }
    std::set<std::uint64_t>& expected = model[key];
    expected.erase(expected.begin(), expected.lower_bound(oldest));
    ASSERT_TRUE(std::ranges::equal(postings(index, key), Sequences(expected.rbegin(), expected.rend()))) << step;
  }
  for (auto& [key, expected] : model) {
    expected.erase(expected.begin(), expected.lower_bound(oldest));
    ASSERT_TRUE(std::ranges::equal(postings(index, key), Sequences(expected.rbegin(), expected.rend()))) << key;
  }
}

}  // namespace
}  // namespace recmeter
