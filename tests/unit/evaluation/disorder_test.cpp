#include "recmeter/evaluation/disorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

DisorderHistogram of(const std::vector<std::int64_t>& values) {
  DisorderHistogram histogram;
  for (const std::int64_t ms : values) histogram.add(Duration{ms});
  return histogram;
}

TEST(Disorder, of_nothing_is_zero) {
  const Disorder none = DisorderHistogram().summary();
  EXPECT_EQ(none.max, Duration{0});
  EXPECT_EQ(none.p50, Duration{0});
  EXPECT_EQ(none.p999, Duration{0});
}

TEST(Disorder, is_exact_up_to_fifteen) {
  for (std::int64_t ms = 0; ms <= 15; ++ms) {
    const Disorder d = of({ms, ms, 1'000'000}).summary();
    EXPECT_EQ(d.p50, Duration{ms});
    EXPECT_EQ(d.max, Duration{1'000'000});
  }
}

TEST(Disorder, is_an_upper_bound_at_most_a_sixteenth_too_large) {
  std::vector<std::int64_t> tried;
  for (int bit = 4; bit < 43; ++bit) {
    for (const std::int64_t beside : {-1, 0, 1}) tried.push_back((std::int64_t{1} << bit) + beside);
    tried.push_back((std::int64_t{1} << bit) * 31 / 16);
  }
  for (const std::int64_t ms : tried) {
    const Duration p50 = of({ms, ms, ms, std::int64_t{1} << 50}).summary().p50;
    EXPECT_GE(p50.ms, ms);
    EXPECT_LE(p50.ms - ms, ms / 16) << ms;
  }
}

TEST(Disorder, is_never_more_than_the_largest) {
  const Disorder d = of({1000, 1000, 1000}).summary();
  EXPECT_EQ(d.p50, Duration{1000});
  EXPECT_EQ(d.p999, Duration{1000});
}

TEST(Disorder, takes_the_smallest_value_that_the_share_does_not_exceed) {
  EXPECT_EQ(of({1, 2}).summary().p50, Duration{1});
  EXPECT_EQ(of({1, 2, 3}).summary().p50, Duration{2});
  std::vector<std::int64_t> values(999, 1);
  values.push_back(9);
  EXPECT_EQ(of(values).summary().p999, Duration{1}) << "999 of 1000";
  values.push_back(9);
  EXPECT_EQ(of(values).summary().p999, Duration{9});
}

TEST(Disorder, does_not_depend_on_the_order) {
  support::Dice dice(1);
  std::vector<std::int64_t> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<std::int64_t>(dice.below(1U << dice.below(30))));
  const Disorder one = of(values).summary();
  dice.shuffle(values);
  const Disorder other = of(values).summary();
  EXPECT_EQ(one.max, other.max);
  EXPECT_EQ(one.p50, other.p50);
  EXPECT_EQ(one.p999, other.p999);
}

}  // namespace
}  // namespace recmeter
