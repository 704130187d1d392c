#include "recmeter/join/timeline_table.h"

#include <gtest/gtest.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

using Index = TimelineTable::Index;

// Timelines are told apart by newest_list, as the joiner does it by the key it finds there.
Index insert(TimelineTable& table, std::uint64_t hash, std::uint64_t key) {
  Timeline timeline;
  timeline.newest_list = key;
  return table.insert(hash, timeline);
}

Index find(const TimelineTable& table, std::uint64_t hash, std::uint64_t key) {
  return table.find(hash, [&](const Timeline& t) { return t.newest_list == key; });
}

TEST(TimelineTable, finds_what_was_inserted_and_nothing_else) {
  TimelineTable table;
  const Index index = insert(table, 5, 1);
  EXPECT_EQ(find(table, 5, 1), index);
  EXPECT_EQ(find(table, 6, 1), TimelineTable::none);
  EXPECT_EQ(find(table, 5, 2), TimelineTable::none) << "equal hashes do not make equal keys";
}

TEST(TimelineTable, keeps_keys_of_equal_hashes_apart) {
  TimelineTable table;
  std::vector<Index> indices;
  for (std::uint64_t key = 1; key <= 20; ++key) indices.push_back(insert(table, 77, key));
  for (std::uint64_t key = 1; key <= 20; ++key) EXPECT_EQ(find(table, 77, key), indices[key - 1]);
}

// A chain of probes that runs over the end of the slots: every member, erased first, must leave the others reachable.
TEST(TimelineTable, closes_the_gap_wherever_a_chain_is_broken) {
  const std::vector<std::uint64_t> homes{1022, 1022, 1023, 1023, 1022, 0, 1, 1023, 0};  // of 1024 slots
  for (std::size_t gone = 0; gone < homes.size(); ++gone) {
    TimelineTable table;
    std::vector<Index> indices;
    for (std::size_t i = 0; i < homes.size(); ++i) indices.push_back(insert(table, homes[i], i + 1));
    table.erase(indices[gone]);
    for (std::size_t i = 0; i < homes.size(); ++i) {
      EXPECT_EQ(find(table, homes[i], i + 1), i == gone ? TimelineTable::none : indices[i]) << gone << " " << i;
    }
  }
}

TEST(TimelineTable, reuses_the_index_of_an_erased_timeline) {
  TimelineTable table;
  const Index index = insert(table, 1, 1);
  table.erase(index);
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(insert(table, 2, 2), index);
  EXPECT_EQ(table.at(index).tag, 2U);
}

TEST(TimelineTable, keeps_indices_while_it_grows) {
  TimelineTable table;
  for (std::uint64_t key = 1; key <= 5000; ++key) ASSERT_EQ(insert(table, key * 0x9E3779B97F4A7C15, key), key - 1);
  for (std::uint64_t key = 1; key <= 5000; ++key) ASSERT_EQ(find(table, key * 0x9E3779B97F4A7C15, key), key - 1);
}

TEST(TimelineTable, agrees_with_a_hash_map_under_random_use) {
  TimelineTable table;
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, Index>> model;  // key -> hash, index
  support::Dice dice(1);
  for (int step = 0; step < 60'000; ++step) {
    const std::uint64_t key = 1 + dice.below(step < 30'000 ? 400 : 3000);
    // Few homes, some around the end of the slots, so that chains are long and touch each other.
    const std::uint64_t hash = (key % 7 << 40) | (1000 + key % 37 * 3);
    const auto known = model.find(key);
    ASSERT_EQ(find(table, hash, key), known == model.end() ? TimelineTable::none : known->second.second);
    if (known == model.end()) {
      model[key] = {hash, insert(table, hash, key)};
    } else {
      table.erase(known->second.second);
      model.erase(known);
    }
    ASSERT_EQ(table.size(), model.size());
  }
  for (const auto& [key, where] : model) EXPECT_EQ(find(table, where.first, key), where.second);
}

}  // namespace
}  // namespace recmeter
