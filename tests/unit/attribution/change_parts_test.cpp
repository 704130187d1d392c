// The conformance numbers of [S16.4] and [S16.5].
#include "recmeter/attribution/change_parts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace recmeter {
namespace {

constexpr double close = 1e-9;

TEST(ChangeParts, of_ranks_are_where_items_and_first_items_were) {
  const RankCounts a{.counts = {40, 20, 10}, .lists = 200};
  const RankCounts b{.counts = {30, 24, 12}, .lists = 210};
  const auto mrr = rank_parts(a, b, RankForm::mrr);
  ASSERT_EQ(mrr.size(), 3u);
  EXPECT_NEAR(mrr[0], -0.057142857142857, close);
  EXPECT_NEAR(mrr[1], 0.007142857142857, close);
  EXPECT_NEAR(mrr[2], 0.002380952380952, close);
  const auto precision = rank_parts(a, b, RankForm::precision);
  EXPECT_NEAR(std::accumulate(precision.begin(), precision.end(), 0.0), (66.0 / 210 - 70.0 / 200) / 3, close);
  const auto hit_rate = rank_parts(a, b, RankForm::hit_rate);
  EXPECT_NEAR(std::accumulate(hit_rate.begin(), hit_rate.end(), 0.0), 66.0 / 210 - 70.0 / 200, close);
}

TEST(ChangeParts, of_item_groups_add_up_with_that_of_short_lists) {
  const std::vector<ItemGroupRows> groups{{"A", {200, 30}, {150, 20}}, {"B", {180, 10}, {260, 16}}};
  const auto parts = item_group_parts(groups, 400, 420);
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_NEAR(parts[0], -0.007142857142857, close);
  EXPECT_NEAR(parts[1], 0.003198005698006, close);
  EXPECT_NEAR(parts[2], -0.006447521242130, close);
  EXPECT_NEAR(parts[3], -0.006421613497993, close);
  EXPECT_NEAR(parts[4], 0.002528271899260, close);
  EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), 36.0 / 420 - 40.0 / 400, close);
}

TEST(ChangeParts, of_factors_are_none_without_evidence) {
  const MeanFacts nothing{.lists = 3, .value = 0.0, .relevant_share = 0.0, .given_relevant = {}};
  EXPECT_FALSE(factor_parts({nothing, nothing}));
  const MeanFacts some{.lists = 4, .value = 0.125, .relevant_share = 0.25, .given_relevant = 0.5};
  const auto parts = factor_parts({nothing, some});
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->relevant_share, 0.125);
  EXPECT_EQ(parts->given_relevant, 0);
}

}  // namespace
}  // namespace recmeter
