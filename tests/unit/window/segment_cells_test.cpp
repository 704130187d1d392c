#include "recmeter/window/segment_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "recmeter/window/segment_spec.h"
#include "support/dice.h"

namespace recmeter {
namespace {

struct Count {
  int n = 0;
  void merge(Count&& other) { n += other.n; }
};

using Cells = SegmentCells<Count>;

SegmentBound bound(std::size_t values_max, std::vector<std::string> keep = {}) {
  SegmentBound out{.keep = {}, .values_max = values_max};
  for (std::string& value : keep) out.keep.insert({std::move(value)});
  return out;
}

void add(Cells& cells, const std::string& value, const SegmentBound& of, int n = 1) {
  bool moved = false;
  cells.at({value}, of, moved).n += n;
}

std::map<std::string, int> own(const Cells& cells) {
  std::map<std::string, int> out;
  for (const auto& [values, count] : cells.own()) out[values.front()] = count.n;
  return out;
}

using Own = std::map<std::string, int>;

TEST(SegmentCells, give_each_value_a_cell_up_to_the_limit) {
  Cells cells;
  for (const char* value : {"b", "a", "b"}) add(cells, value, bound(2));
  EXPECT_EQ(own(cells), (Own{{"a", 1}, {"b", 2}}));
  EXPECT_FALSE(cells.other());
}

TEST(SegmentCells, put_the_values_largest_in_bytes_together_beyond_the_limit) {
  Cells cells;
  for (const char* value : {"c", "a", "b", "c"}) add(cells, value, bound(2));
  EXPECT_EQ(own(cells), (Own{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(cells.other()->n, 2) << "the first c moved, the second went there";
}

TEST(SegmentCells, say_when_a_value_has_moved) {
  Cells cells;
  bool moved = false;
  cells.at({"b"}, bound(1), moved).n = 1;
  EXPECT_FALSE(moved);
  cells.at({"c"}, bound(1), moved).n = 1;
  EXPECT_FALSE(moved) << "c never had a cell of its own";
  cells.at({"a"}, bound(1), moved).n = 1;
  EXPECT_TRUE(moved);
}

TEST(SegmentCells, keep_named_values_besides_the_smallest) {
  Cells cells;
  const SegmentBound keeping = bound(1, {"z"});
  for (const char* value : {"z", "b", "a", "z"}) add(cells, value, keeping);
  EXPECT_EQ(own(cells), (Own{{"a", 1}, {"z", 2}}));
  EXPECT_EQ(cells.other()->n, 1);
}

TEST(SegmentCells, have_only_kept_values_when_the_limit_is_zero) {
  Cells cells;
  for (const char* value : {"z", "b"}) add(cells, value, bound(0, {"z"}));
  EXPECT_EQ(own(cells), (Own{{"z", 1}}));
  EXPECT_EQ(cells.other()->n, 1);
}

// The smallest can be decided in any order and in parts: whatever comes first, and however parts are merged.
TEST(SegmentCells, are_the_same_in_any_order_and_from_any_parts) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Dice dice(seed);
    const SegmentBound of = bound(dice.below(5), {"v3", "v7"});
    std::vector<std::string> values;
    for (int i = 0; i < 40; ++i) values.push_back("v" + std::to_string(dice.below(12)));
    Own expected;
    int together = 0;
    std::map<std::string, int> counts;
    for (const std::string& value : values) ++counts[value];
    std::size_t bounded = 0;
    for (const auto& [value, n] : counts) {
      if (of.keep.contains({value}) || bounded++ < of.values_max) {
        expected[value] = n;
      } else {
        together += n;
      }
    }
    dice.shuffle(values);
    Cells whole;
    std::vector<Cells> parts(1 + dice.below(4));
    for (const std::string& value : values) {
      add(whole, value, of);
      add(parts[dice.below(parts.size())], value, of);
    }
    Cells merged;
    for (Cells& part : parts) merged.merge(std::move(part), of);
    for (const Cells* cells : {&whole, &merged}) {
      ASSERT_EQ(own(*cells), expected) << "seed " << seed;
      ASSERT_EQ(cells->other() ? cells->other()->n : 0, together) << "seed " << seed;
    }
  }
}

TEST(SegmentValue, is_escaped_where_it_could_be_taken_for_a_reserved_word) {
  EXPECT_EQ(shown_segment_value("A"), "A");
  EXPECT_EQ(shown_segment_value("(none)"), "\\(none)");
  EXPECT_EQ(shown_segment_value("(other)"), "\\(other)");
  EXPECT_EQ(shown_segment_value("\\x"), "\\\\x");
  EXPECT_EQ(shown_segment_value("a\\"), "a\\");
}

TEST(SegmentValues, survive_packing_whatever_bytes_they_hold) {
  const std::vector<SegmentValues> all{{}, {""}, {"", ""}, {"a", "b"}, {"ab", ""}, {std::string("\0\xff", 2), "\x01"}};
  std::set<std::string> packed;
  for (const SegmentValues& values : all) {
    std::string together;
    for (const std::string& value : values) append_segment_value(together, value);
    EXPECT_EQ(unpack_segment_values(together), values);
    packed.insert(together);
  }
  EXPECT_EQ(packed.size(), all.size());
}

}  // namespace
}  // namespace recmeter
