// Intervals of [S6] against small cases worked out by hand.
#include "support/batch_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace recmeter::support {
namespace {

void add(GroupSums& groups, std::size_t group, double value, bool evidence = true) {
  groups[group].sum += to_fixed(value);
  ++groups[group].lists;
  groups[group].evidence += evidence ? 1U : 0U;
}

// `ones` groups of value 1 and `zeros` groups of value 0, a list each.
GroupSums ones_and_zeros(std::size_t ones, std::size_t zeros) {
  GroupSums groups{};
  for (std::size_t i = 0; i < ones + zeros; ++i) add(groups, i, i < ones ? 1 : 0);
  return groups;
}

TEST(BatchInterval, values_are_rounded_to_even_multiples) {
  EXPECT_EQ(to_fixed(std::ldexp(1.5, -32)), 2);
  EXPECT_EQ(to_fixed(std::ldexp(2.5, -32)), 2);
  EXPECT_EQ(to_fixed(1), std::int64_t{1} << 32);
}

TEST(BatchInterval, se_of_two_groups_is_half_their_distance) {
  // θ_(g) are 1 and 0, mean 1/2: √(1/2 · (1/4 + 1/4)) = 1/2.
  const Estimate estimate = estimate_mean(ones_and_zeros(1, 1), 0.95);
  EXPECT_EQ(estimate.value, 0.5);
  EXPECT_EQ(estimate.se, 0.5);
  EXPECT_EQ(estimate.ci, std::nullopt);
}

TEST(BatchInterval, one_group_has_no_se) {
  GroupSums groups{};
  add(groups, 7, 1);
  add(groups, 7, 0);
  EXPECT_EQ(estimate_mean(groups, 0.95).se, std::nullopt);
}

TEST(BatchInterval, twenty_groups_with_evidence_are_needed) {
  GroupSums nineteen = ones_and_zeros(10, 9);
  add(nineteen, 30, 0, false);
  EXPECT_EQ(estimate_mean(nineteen, 0.95).ci, std::nullopt);
  EXPECT_TRUE(estimate_mean(ones_and_zeros(10, 10), 0.95).ci.has_value());
}

TEST(BatchInterval, equal_groups_and_the_edge_have_no_interval) {
  GroupSums equal{};
  for (std::size_t i = 0; i < 30; ++i) add(equal, i, 0.5);
  EXPECT_EQ(estimate_mean(equal, 0.95).ci, std::nullopt);
  EXPECT_EQ(estimate_mean(equal, 0.95).se, 0);
  EXPECT_EQ(estimate_mean(ones_and_zeros(30, 0), 0.95).ci, std::nullopt);
  // Without its one relevant group θ_(g) is 0, on the edge.
  EXPECT_EQ(estimate_mean(ones_and_zeros(1, 29), 0.95).ci, std::nullopt);
}

TEST(BatchInterval, exact_sums_decide_what_is_equal) {
  GroupSums groups{};
  for (std::size_t i = 0; i < 30; ++i) groups[i] = {.sum = WideSum{1} << 60, .lists = 1U << 29, .evidence = 1};
  EXPECT_EQ(estimate_mean(groups, 0.95).ci, std::nullopt);
  ++groups[3].sum;
  const auto [low, high] = estimate_mean(groups, 0.95).ci.value();
  EXPECT_EQ(low, 0.5);
  EXPECT_EQ(high, 0.5);
}

TEST(BatchInterval, an_even_split_of_twenty_groups_worked_out_by_hand) {
  // θ_(g) is 9/19 or 10/19, ten times each: y = ±ln(10/9), κ = 1, so ν = 19 and t = 2.0930240544.
  // se_y = √(19/20 · 20 · ln²(10/9)) = √19 · ln(10/9).
  const Estimate estimate = estimate_mean(ones_and_zeros(10, 10), 0.95);
  const double half = 2.093024054408263 * std::sqrt(19.0) * std::log(10.0 / 9);
  ASSERT_TRUE(estimate.ci.has_value());
  EXPECT_NEAR(estimate.ci->first, 1 / (1 + std::exp(half)), 1e-9);
  EXPECT_NEAR(estimate.ci->second, 1 / (1 + std::exp(-half)), 1e-9);
  EXPECT_NEAR(estimate.se.value(), std::sqrt(19.0 * 0.25 / 361), 1e-12);
}

}  // namespace
}  // namespace recmeter::support
