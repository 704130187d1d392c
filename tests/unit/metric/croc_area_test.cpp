// croc_auc by hand: [S5.40].
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "list_of.h"

namespace recmeter {
namespace {

using test::ListOf;

// Of all lists together, in a catalogue of so many items.
std::optional<double> croc(const std::vector<ListOf>& lists, std::uint32_t k, std::uint64_t catalog_size) {
  const PooledForm& form = *find_metric("croc_auc")->pooled;
  const MetricOptions options{.catalog_size = catalog_size};
  std::vector<Int128> sums(form.columns_at(k), 0);
  for (const ListOf& list : lists) {
    std::vector<std::int64_t> columns(sums.size(), 0);
    form.add(list.view(), k, options, columns);
    std::transform(sums.begin(), sums.end(), columns.begin(), sums.begin(), std::plus<>());
  }
  return form.value({.lists = lists.size(), .evidence = lists.size(), .columns = sums}, k, options);
}

const ListOf hit_first{2, {{1, 1}}, {}};
const ListOf hit_second{2, {{2, 1}}, {}};
const ListOf missed_two{2, {}, {{1, 2}}};

TEST(CrocAuc, of_one_list_is_lauc) {
  const ListOf list{5, {{2, 1}, {5, 1}}, {{1, 2}}};
  const MetricOptions options{.catalog_size = 20};
  for (const std::uint32_t k : {1U, 2U, 4U, 5U, 9U}) {
    EXPECT_DOUBLE_EQ(*croc({list}, k, 20), test::value("lauc", list, k, options)) << k;
  }
}

// P = 2, I = 6. Rank 1: fp 1, tp 1. Rank 2: fp 2, tp 2. So (1/6)(1/2)/2 + (1/6)(1/2 + 1)/2 + 4/6.
TEST(CrocAuc, joins_the_points_of_all_lists_by_straight_lines) {
  EXPECT_DOUBLE_EQ(*croc({hit_first, hit_second}, 2, 4), 1.0 / 24 + 3.0 / 24 + 16.0 / 24);
  // From (1/6, 1/2) straight to (1, 1): 1/24 + (5/6)(3/2)/2.
  EXPECT_DOUBLE_EQ(*croc({hit_first, hit_second}, 1, 4), 1.0 / 24 + 15.0 / 24);
}

TEST(CrocAuc, is_chance_without_items_and_one_when_all_relevant_items_come_first) {
  EXPECT_EQ(croc({{0, {}, {{1, 3}}}, {0, {}, {{1, 1}}}}, 5, 20), 0.5);
  EXPECT_EQ(croc({hit_first, hit_first}, 2, 4), 1);
}

// Without relevant items it is one more list to show items to: P = 1, I = 3 + 4. Rank 1: fp 1, tp 1. Rank 2: fp 3.
TEST(CrocAuc, counts_lists_without_relevant_items) {
  EXPECT_DOUBLE_EQ(*croc({hit_first, {2, {}, {}}}, 2, 4), 1.0 / 14 + 6.0 / 7);
}

TEST(CrocAuc, is_nothing_where_no_item_is_relevant_or_all_are) {
  EXPECT_EQ(croc({{2, {}, {}}}, 2, 4), std::nullopt);
  EXPECT_EQ(croc({missed_two}, 2, 4).has_value(), true);
  EXPECT_EQ(croc({{2, {{1, 1}, {2, 1}}, {}}}, 2, 2), std::nullopt);
}

TEST(CrocAuc, stays_where_a_list_shorter_than_k_ends_and_counts_a_repeated_item_once) {
  EXPECT_EQ(croc({hit_second}, 2, 10), croc({hit_second}, 2000, 10));
  const ListOf repeats{3, {{3, 1}}, {}, {0, 1, 1, 2}};
  EXPECT_EQ(croc({repeats}, 3, 10), croc({hit_second}, 2, 10));
}

}  // namespace
}  // namespace recmeter
