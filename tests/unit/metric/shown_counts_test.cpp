// Counts by rank and by group of items.
#include "recmeter/metric/shown_counts.h"

#include <gtest/gtest.h>

#include <vector>

#include "recmeter/metric/plan.h"

namespace recmeter {
namespace {

std::vector<Int128> wide(const std::vector<std::int64_t>& columns) {
  return {columns.begin(), columns.end()};
}

TEST(ShownCounts, by_rank_have_hits_and_the_first_of_each_list) {
  std::vector<std::int64_t> columns(rank_columns(3), 0);
  const Hit first[] = {{1, 1}, {3, 1}};
  const Hit second[] = {{3, 1}, {4, 1}};
  const Hit of_list[] = {{0, 1}};
  for (const std::span<const Hit> hits :
       {std::span<const Hit>(first), std::span<const Hit>(second), std::span<const Hit>(of_list), std::span<const Hit>()}) {
    add_to_ranks({.length = 5, .hits = hits}, 3, columns);
  }
  const std::vector<ShownCounts::OfRank> expected{{2, 2}, {0, 0}, {2, 1}};
  EXPECT_EQ(ranks_of(wide(columns), 3), expected);
  EXPECT_EQ(ranks_of({}, 2), std::vector<ShownCounts::OfRank>(2)) << "no list";
}

TEST(ShownCounts, by_group_have_what_was_shown_up_to_the_cutoff) {
  std::vector<std::int64_t> columns(group_columns(2), 0);
  const std::uint32_t groups[] = {1, 0, 1};
  const Hit hits[] = {{1, 1}, {3, 1}};
  add_to_groups({.length = 3, .hits = hits, .groups = groups}, 2, columns);
  add_to_groups({.length = 3, .hits = hits, .groups = std::span(groups).first(1)}, 2, columns);
  const std::vector<ShownCounts::OfGroup> expected{{1, 0}, {2, 2}};
  EXPECT_EQ(groups_of(wide(columns), 2), expected);
}

MetricPlan plan_with(const ShownCountsSpec& shown) {
  MetricSpec spec;
  spec.cutoffs = {3, 5};
  spec.requests = {{.name = "precision"}, {.name = "mrr"}, {.name = "ndcg_list"}};
  spec.shown_counts = shown;
  return *MetricPlan::make(spec);
}

TEST(ShownCounts, are_columns_beside_those_of_values) {
  const MetricPlan without = plan_with({});
  EXPECT_TRUE(without.shown_blocks().empty());
  const MetricPlan with = plan_with({.ranks = true, .item_groups = 4});
  ASSERT_EQ(with.shown_blocks().size(), 3u) << "one for all ranks, and groups at each cutoff of precision";
  EXPECT_EQ(with.columns(), without.columns() + rank_columns(5) + 2 * group_columns(4));
  EXPECT_TRUE(with.needs(ListPart::groups));
  EXPECT_FALSE(plan_with({.ranks = true}).needs(ListPart::groups));
  for (const PlannedMetric& metric : with.metrics()) {
    EXPECT_EQ(metric.rank_block != PlannedMetric::no_column, has_rank_parts(metric)) << metric.key;
    EXPECT_EQ(metric.group_block != PlannedMetric::no_column, has_item_group_parts(metric)) << metric.key;
  }

  std::vector<std::int64_t> columns(with.columns(), 0);
  const std::uint32_t groups[] = {3, 3, 1};
  const Hit hits[] = {{2, 1}};
  with.add_values({.length = 3, .hits = hits, .groups = groups}, columns);
  const auto of = [&](std::size_t block) {
    const ShownBlock& at = with.shown_blocks()[block];
    return wide({columns.begin() + static_cast<std::ptrdiff_t>(at.column),
                 columns.begin() + static_cast<std::ptrdiff_t>(at.column + at.columns)});
  };
  EXPECT_EQ(ranks_of(of(with.metrics()[0].rank_block), 3), (std::vector<ShownCounts::OfRank>{{0, 0}, {1, 1}, {0, 0}}));
  EXPECT_EQ(groups_of(of(with.metrics()[0].group_block), 4),
            (std::vector<ShownCounts::OfGroup>{{0, 0}, {1, 0}, {0, 0}, {2, 1}}));
}

}  // namespace
}  // namespace recmeter
