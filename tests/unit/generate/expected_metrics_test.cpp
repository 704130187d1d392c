#include "app/generate/expected_metrics.h"

#include <gtest/gtest.h>

#include <vector>

namespace recmeter::generate {
namespace {

TEST(MetricsOfList, match_a_case_worked_by_hand) {
  const std::vector<double> grades{0, 1, 0, 3, 0, 0, 1};
  const MetricValues values = metrics_of_list(grades);
  EXPECT_DOUBLE_EQ(values[0][1], 2.0 / 5);   // precision@5
  EXPECT_DOUBLE_EQ(values[0][2], 3.0 / 10);  // precision@10, though the list has 7 ranks
  EXPECT_DOUBLE_EQ(values[1][0], 0);         // hit_rate@1
  EXPECT_DOUBLE_EQ(values[2][1], 1.0 / 2);   // mrr@5
  EXPECT_DOUBLE_EQ(values[3][1], (1.0 / 2 + 2.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(values[3][2], (1.0 / 2 + 2.0 / 4 + 3.0 / 7) / 3);
  const double dcg = 1 * 0.6309297535714575 + 3 * 0.43067655807339306;  // 1/log2(3), 1/log2(5)
  const double ideal = 3 + 1 * 0.6309297535714575 + 1 * 0.5;            // cut at 5, not at the hits of the top 5
  EXPECT_NEAR(values[4][1], dcg / ideal, 1e-15);
}

// All 3^n outcomes, one by one.
MetricValues enumerate(const std::vector<RankChances>& ranks) {
  MetricValues mean{};
  std::vector<int> state(ranks.size());
  std::vector<double> grades(ranks.size());
  for (;;) {
    double chance = 1;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const double bought = ranks[i].purchased;
      chance *= state[i] == 0 ? 1 - ranks[i].relevant : state[i] == 1 ? ranks[i].relevant - bought : bought;
      grades[i] = state[i] == 0 ? 0 : state[i] == 1 ? click_gain : purchase_gain;
    }
    const MetricValues values = metrics_of_list(grades);
    for (std::size_t m = 0; m < mean.size(); ++m) {
      for (std::size_t c = 0; c < mean[m].size(); ++c) mean[m][c] += chance * values[m][c];
    }
    std::size_t i = 0;
    while (i < state.size() && ++state[i] == 3) state[i++] = 0;
    if (i == state.size()) return mean;
  }
}

TEST(ExpectedMetrics, equal_the_sum_over_all_outcomes) {
  for (const std::size_t length : {1U, 3U, 6U, 11U}) {
    std::vector<RankChances> ranks(length);
    for (std::size_t i = 0; i < length; ++i) {
      ranks[i].relevant = 0.9 / static_cast<double>(i + 1) + 0.05;
      ranks[i].purchased = ranks[i].relevant * (i % 2 == 0 ? 0.3 : 0.6);
    }
    const MetricValues exact = enumerate(ranks);
    const MetricValues expected = expected_metrics(ranks);
    for (std::size_t m = 0; m < exact.size(); ++m) {
      for (std::size_t c = 0; c < exact[m].size(); ++c) {
        EXPECT_NEAR(expected[m][c], exact[m][c], 1e-12) << truth_metrics[m] << '@' << truth_cutoffs[c] << " of " << length;
      }
    }
  }
}

TEST(ExpectedMetrics, of_no_rank_are_zero) {
  for (const auto& metric : expected_metrics({})) {
    for (const double value : metric) EXPECT_EQ(value, 0);
  }
}

}  // namespace
}  // namespace recmeter::generate
