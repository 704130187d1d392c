// Comparisons against values of gbstats 0.8.0, recorded, where the definitions are the same: a slot is its unit, with the
// sums of the slot. Its degrees of freedom know no kurtosis, so they are compared where the kurtosis is 1.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "recmeter/experiment/comparison.h"

namespace recmeter {
namespace {

constexpr double alike = 1e-9;

void expect_alike(double ours, double theirs) {
  EXPECT_NEAR(ours / theirs, 1, alike);
}

// Slot g: s(g), n(g).
template <class S, class N>
SlotSums slots_of(std::size_t count, S&& s, N&& n) {
  SlotSums out;
  for (std::size_t g = 0; g < count; ++g) {
    out.s[g] = to_q32_wide(static_cast<double>(s(g)));
    out.n[g] = to_q32_wide(static_cast<double>(n(g)));
  }
  return out;
}

SlotSums ratio_arm(std::size_t a, std::size_t b, std::size_t c, std::size_t more) {
  return slots_of(
      200, [&](std::size_t g) { return (g * a + b) % 7 + g * g % 5 + more; }, [&](std::size_t g) { return 10 + g * c % 11; });
}

TEST(Gbstats, has_the_variance_of_the_difference_of_two_ratios) {
  const SlotSums a = ratio_arm(3, 1, 4, 0);
  const SlotSums b = ratio_arm(5, 2, 3, 1);
  const auto at = compare_arms(a, b, {.is_absolute = true, .mde = 0.1});
  ASSERT_TRUE(at);
  expect_alike(at->evidence.y, 0.06760195968281368);
  expect_alike(at->evidence.variance, 0.0003706515473720081);
}

TEST(Gbstats, has_the_variance_of_the_relative_difference_of_two_ratios) {
  const SlotSums a = ratio_arm(3, 1, 4, 0);
  const SlotSums b = ratio_arm(5, 2, 3, 1);
  const auto at = compare_arms(a, b, {.mde = 0.1});
  ASSERT_TRUE(at);
  expect_alike(at->relative->value, 0.20321311976942186);
  const double ratio = at->arm / at->control;
  expect_alike(at->evidence.variance * ratio * ratio, 0.004070162304089388);
}

TEST(Gbstats, has_the_degrees_of_freedom_where_no_slot_is_heavier) {
  const auto one = [](std::size_t) { return 1; };
  const SlotSums a = slots_of(200, [](std::size_t g) { return g % 2 == 0 ? 1 : 2; }, one);
  const SlotSums b = slots_of(120, [](std::size_t g) { return g % 2 == 0 ? 1 : 3; }, one);
  const auto at = compare_arms(a, b, {.is_absolute = true, .mde = 0.1});
  ASSERT_TRUE(at);
  expect_alike(at->evidence.y, 0.5);
  expect_alike(at->evidence.variance, 0.009659642751572991);
  expect_alike(at->evidence.df, 155.16623050456852);
}

// Users as units: N = P = M = 1.
SlotSums users_with_before(std::size_t a, std::size_t b) {
  const auto before = [&](std::size_t g) { return (g * a + b) % 7 + g * g % 5; };
  SlotSums out = slots_of(200, [&](std::size_t g) { return before(g) + (g * b + 1) % 6; }, [](std::size_t) { return 1; });
  for (std::size_t g = 0; g < 200; ++g) {
    out.x[g] = to_q32_wide(static_cast<double>(before(g)));
    out.p[g] = out.m[g] = to_q32(1);
  }
  return out;
}

TEST(Gbstats, takes_out_as_much_of_the_time_before) {
  const auto at = compare_arms(users_with_before(3, 5), users_with_before(5, 2), {.is_absolute = true, .mde = 0.1});
  ASSERT_TRUE(at);
  expect_alike(at->theta, 1.0014592808782354);
  expect_alike(at->evidence.y, 0.5100000000000007);
  expect_alike(at->evidence.variance, 0.02808779523701861);
}

// SequentialTwoSidedTTest: its tuning parameter 5,000 is rho, and n * rho^2 is our r.
TEST(Gbstats, looks_all_the_while_with_the_same_reach_and_evidence) {
  const double rho = 0.03984006677137368;
  const double r = 400 * rho * rho;
  expect_alike(sequence_reach(r, 0.05), 4.085864231585103);
  const double z = 3.511368242140457;
  expect_alike(p_always(r / (2 * (1 + r)) * z * z - std::log1p(r) / 2), 0.11668653007662426);
}

}  // namespace
}  // namespace recmeter
