// The last look is a test of its own. [S10.25].
#include "unit/experiment/worked_arms.h"

namespace recmeter {
namespace {

constexpr PlannedLook last = PlannedLook::last;

TEST(LastLook, has_the_alpha_of_the_seventh_worked_example) {
  EXPECT_NEAR(last_look_alpha(0.1, 0.05, last, false), 0.04, 1e-15);
  expect_digits(last_look_alpha(8, 0.05, last, false), 0.0236899181);
  expect_digits(last_look_alpha(30, 0.05, last, false), 0.009025922274);
  expect_digits(last_look_alpha(100, 0.05, last, false), 0.003259712575);
  EXPECT_DOUBLE_EQ(last_look_alpha(8, 0.05, last, true), 0.005) << "a few users decide it";
  EXPECT_DOUBLE_EQ(last_look_alpha(8, 0.05, PlannedLook::only, false), 0.05) << "no other look has spent any";
  EXPECT_DOUBLE_EQ(last_look_alpha(8, 0.05, PlannedLook::only, true), 0.005);
}

TEST(LastLook, has_the_reaches_of_the_table) {
  const std::vector<std::pair<double, double>> reaches{{2, 2.054}, {4, 2.113}, {8, 2.262}, {16, 2.440}, {32, 2.629}};
  for (const auto& [r, reach] : reaches) EXPECT_NEAR(planned_reach(r, 0.05, last, false), reach, 5e-4) << r;
  expect_digits(planned_reach(8, 0.05, last, false), 2.262121168);
}

TEST(LastLook, bounds_the_worked_examples_more_narrowly) {
  const SlotSums none = few_sums(nothing, arm_lists);
  const auto first = compare_arms(eight_slots(), none, {.mde = 0.2, .range = share, .look = last});
  expect_range(first->absolute.cs, -0.4460319147, -0.3016316367);
  expect_range(first->absolute.ci, -0.4330788221, -0.3145847293);
  const double r = tau_of({.mde = 0.5}) * tau_of({.mde = 0.5}) / 0.03120791703;
  expect_digits(planned_reach(r, 0.05, last, false), 2.167508326);
}

TEST(LastLook, is_sure_of_what_the_table_says) {
  const auto few = clicks(16, 0, {.mde = 0.05, .look = last});
  EXPECT_TRUE(few->evidence.is_sure);
  EXPECT_LT(few->absolute.cs->second, 0);
  EXPECT_FALSE(clicks(16, 0)->evidence.is_sure) << "by the sequence alone";
  const auto more = clicks(40, 80, {.mde = 0.02, .look = last});
  EXPECT_TRUE(more->evidence.is_sure);
  expect_range(more->relative->cs, 0.3415468751, 1.981632677);
  expect_digits(planned_reach(tau_of({.mde = 0.02}) * tau_of({.mde = 0.02}) / more->evidence.variance, 0.05, last, false),
                2.053748911);
  EXPECT_FALSE(clicks(40, 80, {.mde = 0.02})->evidence.is_sure);
  EXPECT_TRUE(clicks(600, 40, {.mde = 0.02, .look = last})->evidence.is_sure);
  EXPECT_NEAR(clicks(600, 40, {.mde = 0.02})->evidence.log_e, 0.69, 0.005);
  const auto draft = compare_with_zero(drafted_lists(3, 37), {.mde = 0.02, .look = last});
  EXPECT_TRUE(draft->evidence.is_sure);
  expect_range(draft->absolute.cs, 0.530907545, 1);
}

TEST(LastLook, is_what_the_oracle_makes_of_it_and_keeps_its_laws) {
  std::mt19937_64 random(13);
  int decides = 0;
  for (int run = 0; run < 2000; ++run) {
    SCOPED_TRACE(run);
    RandomRule of(random);
    const auto a = random_sums(random, of.is_share), b = random_sums(random, of.is_share);
    const auto early = compare_arms(sums_of_oracle(a), sums_of_oracle(b), of.rule);
    of.batch.is_last = true;
    of.batch.is_only = run % 5 == 0;
    of.rule.look = of.batch.is_only ? PlannedLook::only : last;
    const auto is = compare_arms(sums_of_oracle(a), sums_of_oracle(b), of.rule);
    expect_like(support::compare_in_batch(a, b, of.batch), is);
    if (!is) continue;
    EXPECT_EQ(is->evidence.log_e, early->evidence.log_e);
    EXPECT_EQ(is->decisive().ci, early->decisive().ci);
    EXPECT_TRUE(is->evidence.is_sure || !early->evidence.is_sure);
    const auto& cs = is->decisive().cs;
    const bool excludes = cs && (cs->first > 0 || cs->second < 0);
    EXPECT_TRUE(!cs || excludes == is->evidence.is_sure);
    if (early->decisive().cs && cs) {
      EXPECT_GE(cs->first, early->decisive().cs->first);
      EXPECT_LE(cs->second, early->decisive().cs->second);
    }
    decides += is->evidence.is_sure && !early->evidence.is_sure ? 1 : 0;
  }
  EXPECT_GT(decides, 50);
}

}  // namespace
}  // namespace recmeter
