// Clicks over expected clicks, by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "list_of.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {
namespace {

using test::ListOf;

std::optional<double> coec(const std::vector<ListOf>& lists, std::uint32_t k, const Examination& examination) {
  const MetricDefinition& metric = *find_metric("coec");
  const MetricOptions options{.examination = examination};
  std::vector<Int128> sums(metric.pooled->columns, 0);
  for (const ListOf& list : lists) {
    std::vector<std::int64_t> columns(metric.pooled->columns, 0);
    metric.pooled->add(list.view(), k, options, columns);
    std::ranges::transform(sums, columns, sums.begin(), std::plus<>());
  }
  return metric.pooled->value({.lists = lists.size(), .columns = sums}, k, options);
}

const Examination known{.first = 0.5, .by_rank = {1, 0.5, 0.25}};

TEST(Coec, is_clicks_over_what_the_ranks_get) {
  // Ranks get 0.5, 0.25 and 0.125: three lists of three items and one of one, 3.125 in all. Clicks: 2 + 1 + 0 + 1.
  const std::vector<ListOf> lists{{3, {{1, 1}, {3, 1}}, {}}, {3, {{2, 3}}, {}}, {3, {}, {}}, {1, {{1, 1}}, {}}};
  EXPECT_EQ(coec(lists, 3, known), 4 / 3.125);
  EXPECT_EQ(coec(lists, 2, known), 3 / 2.75);
  EXPECT_EQ(coec(lists, 1, known), 2 / 2.0);
}

TEST(Coec, counts_items_and_not_what_they_were_worth_nor_what_was_missed) {
  EXPECT_EQ(coec({{2, {{1, 30}}, {{5, 2}}}}, 2, known), 1 / 0.75);
}

TEST(Coec, of_lists_without_clicks_is_nothing_and_of_no_item_is_undefined) {
  EXPECT_EQ(coec({{3, {}, {}}}, 3, known), 0.0);
  EXPECT_EQ(coec({{0, {}, {{1, 1}}}}, 3, known), std::nullopt);
  EXPECT_EQ(coec({}, 3, known), std::nullopt);
}

TEST(Coec, does_not_see_the_order_of_clicks_but_that_of_ranks) {
  EXPECT_EQ(coec({{3, {{1, 1}}, {}}}, 3, known), coec({{3, {{3, 1}}, {}}}, 3, known));
  EXPECT_GT(coec({{1, {{1, 1}}, {}}, {3, {{1, 1}}, {}}}, 3, known), coec({{3, {{1, 1}}, {}}, {3, {{1, 1}}, {}}}, 3, known));
}

}  // namespace
}  // namespace recmeter
