// When a share is sure: Wilson's bound against a threshold.
#include "doctor/wilson.h"

#include <gtest/gtest.h>

#include <cmath>

namespace recmeter::doctor {
namespace {

// The bounds are the shares whose own normal interval just reaches what was seen: p with |p̂ - p| = z sqrt(p (1 - p) / n).
TEST(Wilson, bounds_are_the_shares_that_would_just_give_what_was_seen) {
  for (const std::uint64_t n : {1U, 10U, 200U, 12'345U}) {
    for (const std::uint64_t cases : {std::uint64_t{0}, n / 3, n / 2, n}) {
      const Interval interval = wilson(cases, n);
      const double seen = static_cast<double>(cases) / static_cast<double>(n);
      for (const double bound : {interval.low, interval.high}) {
        if (bound == 0 || bound == 1) continue;
        const double z = std::abs(seen - bound) / std::sqrt(bound * (1 - bound) / static_cast<double>(n));
        EXPECT_NEAR(z, 2.5758293, 1e-6) << cases << " of " << n;
      }
      EXPECT_LE(interval.low, seen);
      EXPECT_GE(interval.high, seen);
    }
  }
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

TEST(Wilson, a_share_is_certain_beyond_twice_its_threshold) {
  EXPECT_EQ(above(100, 10'000, 0.01), Sureness::silent) << "the share is the threshold, its lower bound is not beyond";
  EXPECT_EQ(above(150, 10'000, 0.01), Sureness::likely);
  EXPECT_EQ(above(300, 10'000, 0.01), Sureness::certain);
}

TEST(Wilson, from_a_half_on_it_is_certain_beyond_half_the_way_to_one) {
  EXPECT_EQ(above(8'500, 10'000, 0.8), Sureness::likely);
  EXPECT_EQ(above(9'300, 10'000, 0.8), Sureness::certain);
}

TEST(Wilson, few_records_and_few_cases_say_nothing) {
  EXPECT_EQ(above(19, 19, 0.01), Sureness::silent);
  EXPECT_EQ(above(9, 200, 0.001), Sureness::silent);
  EXPECT_NE(above(20, 200, 0.01), Sureness::silent);
  EXPECT_NE(above(20, 20, 0.01), Sureness::silent) << "a short log";
}

TEST(Wilson, downwards_the_upper_bound_decides) {
  EXPECT_EQ(below(0, 19, 0.2), Sureness::silent);
  EXPECT_EQ(below(0, 1000, 0.2), Sureness::certain);
  EXPECT_EQ(below(1500, 10'000, 0.2), Sureness::likely);
  EXPECT_EQ(below(1950, 10'000, 0.2), Sureness::silent);
}

}  // namespace
}  // namespace recmeter::doctor
