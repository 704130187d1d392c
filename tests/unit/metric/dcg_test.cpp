// dcg and the discounts of the nDCG family by hand: [S5.49], [S5.50].
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "list_of.h"
#include "metric/discount.h"
#include "recmeter/metric/plan.h"

namespace recmeter {
namespace {

using test::ListOf;

// Grades 3 at rank 2 and 1 at rank 5; the user acted on another item of grade 2.
const ListOf graded{5, {{2, 3}, {5, 1}}, {{2, 1}}};
const ListOf without_hits{5, {}, {{1, 1}}};

double log2_of(double number) {
  return std::log2(number);
}

// The mean over the lists.
std::optional<double> dcg(const std::vector<ListOf>& lists, std::uint32_t k, const MetricOptions& options = {}) {
  const PooledForm& form = *find_metric("dcg")->pooled;
  std::vector<Int128> sums(form.columns_at(k), 0);
  for (const ListOf& list : lists) {
    std::vector<std::int64_t> columns(sums.size(), 0);
    form.add(list.view(), k, options, columns);
    std::transform(sums.begin(), sums.end(), columns.begin(), sums.begin(), std::plus<>());
  }
  return form.value({.lists = lists.size(), .evidence = lists.size(), .columns = sums}, k, options);
}

constexpr double rounding = 0x1p-32;

TEST(Dcg, adds_gains_by_rank_and_divides_by_no_ideal) {
  EXPECT_NEAR(*dcg({graded}, 5), 3 / log2_of(3) + 1 / log2_of(6), rounding);
  EXPECT_NEAR(*dcg({graded}, 4), 3 / log2_of(3), rounding);
  EXPECT_EQ(*dcg({graded}, 1), 0);
  EXPECT_NEAR(*dcg({graded}, 5, {.gain = GainKind::exp2}), 7 / log2_of(3) + 1 / log2_of(6), rounding);
  EXPECT_NEAR(*dcg({graded}, 5, {.gain = GainKind::binary}), 1 / log2_of(3) + 1 / log2_of(6), rounding);
}

TEST(Dcg, is_a_mean_over_lists_in_which_those_without_hits_count) {
  EXPECT_NEAR(*dcg({graded, without_hits}, 5), (3 / log2_of(3) + 1 / log2_of(6)) / 2, rounding);
  EXPECT_EQ(*dcg({without_hits}, 5), 0);
  EXPECT_EQ(dcg({}, 5), std::nullopt);
}

TEST(Dcg, takes_every_discount) {
  EXPECT_NEAR(*dcg({graded}, 5, {.discount = Discount::log2_max2}), 3 + 1 / log2_of(5), rounding);
  EXPECT_NEAR(*dcg({graded}, 5, {.discount = Discount::rank}), 3.0 / 2 + 1.0 / 5, rounding);
  EXPECT_EQ(*dcg({graded}, 5, {.discount = Discount::none}), 4);
}

// 2^30 - 1 at each of 1000 ranks is above what a mean of values can sum.
TEST(Dcg, sums_the_largest_gains_exactly) {
  ListOf largest{1000, {}, {}};
  for (std::uint32_t rank = 1; rank <= 1000; ++rank) largest.hits.push_back({rank, 30});
  const MetricOptions options{.gain = GainKind::exp2, .discount = Discount::none};
  const double sum = 1000 * (0x1p30 - 1);
  EXPECT_EQ(*dcg({largest}, 1000, options), sum);
  const std::vector<ListOf> many(2000, largest);
  EXPECT_EQ(*dcg(many, 1000, options), sum);
}

// Sums that were paid have no bound of their own.
TEST(Dcg, counts_a_list_at_most_two_to_the_59) {
  const ListOf dear{1, {{1, 1e300}}, {}};
  EXPECT_EQ(*dcg({dear}, 1), 0x1p59);
}

TEST(Dcg, has_an_open_range_and_evidence_of_its_list) {
  const MetricDefinition& metric = *find_metric("dcg");
  EXPECT_TRUE(std::isinf(metric.high));
  EXPECT_TRUE(std::isinf(metric.pooled->high));
  EXPECT_EQ(metric.evidence, Evidence::relevant_in_list);
}

TEST(Dcg, leaves_lists_out_as_over_says) {
  MetricSpec spec;
  spec.cutoffs = {5};
  spec.requests = {{"dcg", std::nullopt, {}}, {"dcg", "relevant", {.over = Over::relevant}}};
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  EXPECT_EQ(MetricPlan::value_of(plan->metrics()[0], without_hits.view()), 0);
  EXPECT_EQ(MetricPlan::value_of(plan->metrics()[1], without_hits.view()), std::nullopt);
}

TEST(Discount, is_one_at_the_first_rank_and_falls_as_its_kind_says) {
  for (const Discount kind : {Discount::log2, Discount::log2_max2, Discount::rank, Discount::none}) {
    EXPECT_EQ(discount(1, kind), 1);
  }
  EXPECT_EQ(discount(3, Discount::log2), 0.5);
  EXPECT_EQ(discount(2, Discount::log2_max2), 1) << "the base: not discounted before it";
  EXPECT_EQ(discount(4, Discount::log2_max2), 0.5);
  EXPECT_EQ(discount(4, Discount::rank), 0.25);
  EXPECT_EQ(discount(4, Discount::none), 1);
}

TEST(Discount, continues_beyond_its_table) {
  for (const std::uint64_t rank : {1023U, 1024U, 1025U, 1026U, 5000U}) {
    const auto number = static_cast<double>(rank);
    EXPECT_DOUBLE_EQ(discount(rank, Discount::log2), 1 / log2_of(number + 1));
    EXPECT_DOUBLE_EQ(discount(rank, Discount::log2_max2), 1 / log2_of(number));
    EXPECT_LT(discount(rank + 1, Discount::log2), discount(rank, Discount::log2));
  }
}

// The ideal is discounted as the list is.
TEST(Discount, is_that_of_the_ideal_too) {
  EXPECT_DOUBLE_EQ(test::value("ndcg_list", graded, 5, {.discount = Discount::log2_max2}), (3 + 1 / log2_of(5)) / (3 + 1.0));
  EXPECT_DOUBLE_EQ(test::value("ndcg_list", graded, 5, {.discount = Discount::rank}), (1.5 + 0.2) / (3 + 0.5));
  EXPECT_DOUBLE_EQ(test::value("ndcg_user", graded, 5, {.discount = Discount::rank}), (1.5 + 0.2) / (3 + 1 + 1.0 / 3));
  EXPECT_DOUBLE_EQ(test::value("ndcg_user", graded, 5, {.discount = Discount::none}), 4.0 / 6);
}

}  // namespace
}  // namespace recmeter
