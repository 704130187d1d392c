// Arms of the worked examples and random ones, and a comparison held against the oracle's.
#pragma once

#include <gtest/gtest.h>

#include <xxhash.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "recmeter/experiment/comparison.h"
#include "support/batch_comparison.h"

namespace recmeter {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr MetricRange share{.low = 0, .high = 1};
inline constexpr MetricRange amount{.low = 0, .high = infinity};

inline SlotSums few_sums(const std::vector<double>& s, const std::vector<double>& n) {
  SlotSums out;
  for (std::size_t g = 0; g < n.size(); ++g) {
    out.s[g] = g < s.size() ? to_q32_wide(s[g]) : 0;
    out.n[g] = to_q32_wide(n[g]);
  }
  return out;
}

inline const std::vector<double> control_lists{10, 12, 9, 20, 11, 15, 16, 14};
inline const std::vector<double> arm_lists{10, 13, 9, 19, 12, 15, 17, 13};
inline const std::vector<double> nothing(8, 0);

inline SlotSums eight_slots() {
  return few_sums({3, 5, 2, 8, 4, 6, 7, 5}, control_lists);
}

inline void expect_digits(double is, double should) {
  EXPECT_NEAR(is / should, 1, 1e-9) << should;
}
inline void expect_range(const std::optional<Interval>& is, double low, double high) {
  ASSERT_TRUE(is);
  expect_digits(is->first, low);
  expect_digits(is->second, high);
}

// Control N = 10, S = (g mod 4) + 1 and more(g); arm N = 5, S = (g mod 3) + 1.
inline Compared arms_of_amounts(std::size_t slots, const std::function<double(std::size_t)>& more) {
  std::vector<double> s_a, s_b;
  for (std::size_t g = 0; g < slots; ++g) {
    s_a.push_back(static_cast<double>(g % 4 + 1) + more(g));
    s_b.push_back(static_cast<double>(g % 3 + 1));
  }
  return compare_arms(few_sums(s_a, std::vector<double>(slots, 10)), few_sums(s_b, std::vector<double>(slots, 5)),
                      {.mde = 0.5, .range = amount});
}

// Users A0 to A1999 or B0 to B1999, a list each; i clicks where the share of clicks so far passes a whole number.
inline SlotSums users_who_click(char arm, std::uint64_t clicks) {
  SlotSums out;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::string user = arm + std::to_string(i);
    const std::size_t g = XXH3_64bits(user.data(), user.size()) >> 56;
    out.n[g] += to_q32(1);
    if (i * clicks / 2000 != (i + 1) * clicks / 2000) out.s[g] += to_q32(1);
  }
  return out;
}

inline Compared clicks(std::uint64_t control, std::uint64_t arm, ComparisonRule rule = {.mde = 0.05}) {
  rule.range = share;
  return compare_arms(users_who_click('A', control), users_who_click('B', arm), rule);
}

inline SlotSums drafted_lists(int lost, int won) {
  SlotSums out;
  for (int i = 0; i < lost + won; ++i) {
    const std::string user = "u" + std::to_string(i);
    const std::size_t g = XXH3_64bits(user.data(), user.size()) >> 56;
    out.n[g] += to_q32(1);
    out.s[g] += to_q32(i < lost ? -1 : 1);
  }
  return out;
}

// Arms of all kinds, from nothing at all to plenty.
inline support::BatchLook::Sums random_sums(std::mt19937_64& random, bool is_share) {
  support::BatchLook::Sums out;
  const std::uint64_t users = random() % 3 == 0 ? random() % 12 : random() % 1500;
  const std::uint64_t odds = std::uint64_t{1} << (random() % 11);  // of an event, one in so many
  const bool is_inverse = random() % 4 == 0;
  const bool is_heavy = random() % 3 == 0;
  for (std::uint64_t user = 0; user < users; ++user) {
    const std::size_t g = random() % 256;
    const std::uint64_t lists = is_heavy && random() % 40 == 0 ? 200 : 1 + random() % 3;
    for (std::uint64_t list = 0; list < lists; ++list) {
      const bool is_event = (random() % odds == 0 && odds != 1024) != is_inverse;
      const double value = !is_event ? 0 : is_share ? 1 : static_cast<double>(random() % 16) + (random() % 50 == 0 ? 300 : 1);
      out.s[g] += to_q32_wide(value);
      out.n[g] += to_q32(1);
    }
    out.m[g] += to_q32(1);
    if (random() % 2 == 0) continue;
    out.x[g] += to_q32_wide(static_cast<double>(random() % 3));
    out.p[g] += to_q32(1);
  }
  return out;
}

inline SlotSums sums_of_oracle(const support::BatchLook::Sums& of) {
  return {.s = of.s, .n = of.n, .x = of.x, .p = of.p, .m = of.m};
}

inline void expect_like(const support::BatchComparison& should, const Compared& is) {
  ASSERT_EQ(should.missing, is ? "" : missing_name(is.error()));
  if (!is) return;
  const auto close = [](long double expected, double actual) {
    EXPECT_NEAR(static_cast<double>(expected), actual, 1e-9 * std::max(1.0, std::abs(actual)));
  };
  const auto ranges = [&](const support::BatchComparison::Range& expected, const std::optional<Interval>& actual) {
    ASSERT_EQ(expected.has_value(), actual.has_value());
    if (!actual) return;
    close(expected->first, actual->first);
    close(expected->second, actual->second);
  };
  EXPECT_EQ(should.is_few, is->is_few);
  EXPECT_EQ(should.is_sure, is->evidence.is_sure);
  close(should.control, is->control);
  close(should.arm, is->arm);
  close(should.theta, is->theta);
  close(should.value, is->decisive().value);
  close(should.df, is->evidence.df);
  close(should.z, is->evidence.z);
  close(should.p, is->evidence.p);
  close(should.log_e, is->evidence.log_e);
  ranges(should.ci, is->decisive().ci);
  ranges(should.cs, is->decisive().cs);
  ASSERT_EQ(should.mde_now.has_value(), is->evidence.mde_now.has_value());
  if (should.mde_now) close(*should.mde_now, *is->evidence.mde_now);
  ASSERT_EQ(should.mde_fixed.has_value(), is->evidence.mde_fixed.has_value());
  if (should.mde_fixed) close(*should.mde_fixed, *is->evidence.mde_fixed);
}

// One rule for the oracle and for the product.
struct RandomRule {
  explicit RandomRule(std::mt19937_64& random) : is_share(random() % 2 == 0) {
    batch = {.is_absolute = random() % 2 == 0,
             .is_paired = random() % 3 == 0,
             .mde = 0.01 + static_cast<double>(random() % 100) / 300,
             .alpha = 0.05,
             .alpha_all = random() % 2 == 0 ? 0.05 : 0.0125,
             .low = 0,
             .high = is_share ? 1 : infinity};
    rule = {.is_absolute = batch.is_absolute,
            .is_paired = batch.is_paired,
            .mde = batch.mde,
            .alpha = batch.alpha,
            .alpha_all = batch.alpha_all,
            .range = {.low = batch.low, .high = batch.high}};
  }
  bool is_share;
  support::BatchRule batch;
  ComparisonRule rule;
};

}  // namespace recmeter
