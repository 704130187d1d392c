// Two arms against the worked example, the formulas of other tools, and what must hold of every pair of arms.
#include "recmeter/experiment/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace recmeter {
namespace {

SlotSums sums_of(const std::vector<double>& s, const std::vector<double>& n) {
  SlotSums out;
  for (std::size_t g = 0; g < s.size(); ++g) {
    out.s[g] = to_q32_wide(s[g]);
    out.n[g] = to_q32_wide(n[g]);
  }
  return out;
}

const ComparisonRule of_eight_slots{.mde = 0.2, .evidence_min = 0};

SlotSums example_control() {
  return sums_of({3, 5, 2, 8, 4, 6, 7, 5}, {10, 12, 9, 20, 11, 15, 16, 14});
}
SlotSums example_arm() {
  return sums_of({5, 6, 4, 9, 7, 7, 9, 6}, {10, 13, 9, 19, 12, 15, 17, 13});
}

// A random arm: users of different weight, lists with a value about `mean`.
SlotSums random_arm(std::mt19937_64& random, double mean, bool has_before = false) {
  SlotSums out;
  for (int user = 0; user < 3000; ++user) {
    const std::size_t g = random() % experiment_slots;
    const auto taste = static_cast<double>(random() % 1000) / 1000;
    const auto lists = static_cast<std::int64_t>(1 + random() % 9);
    for (std::int64_t list = 0; list < lists; ++list) {
      const double noise = static_cast<double>(random() % 1000) / 1000;
      out.s[g] += to_q32(mean * (taste + noise));
      out.n[g] += to_q32(1);
      if (has_before) out.x[g] += to_q32(mean * (taste + static_cast<double>(random() % 1000) / 1000));
      if (has_before) out.p[g] += to_q32(1);
    }
    out.m[g] += to_q32(1);
  }
  return out;
}

TEST(Comparison, gives_the_worked_example_to_all_its_digits) {
  const auto at = compare_arms(example_control(), example_arm(), of_eight_slots);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->control, 40.0 / 107, 1e-15);
  EXPECT_NEAR(at->arm, 53.0 / 108, 1e-15);
  const TestStatistic& e = at->evidence;
  EXPECT_NEAR(e.y, 0.2721100668, 5e-11);
  EXPECT_NEAR(std::sqrt(e.variance), 0.0629935514, 5e-11);
  EXPECT_NEAR(e.df, 11.0789320543, 5e-11);
  EXPECT_NEAR(e.z, 3.2352609431, 5e-11);
  EXPECT_NEAR(e.log_e, 3.5562098715, 5e-11);
  EXPECT_NEAR(e.p, 0.0012153161, 5e-11);
  EXPECT_NEAR(*e.mde_fixed, 0.1930127167, 5e-11);
  EXPECT_NEAR(*e.mde_now, 0.2766145213, 5e-11);
  EXPECT_NEAR(at->relative->ci->first, 0.1428703054, 5e-11);
  EXPECT_NEAR(at->relative->ci->second, 0.5078385836, 5e-11);
  EXPECT_NEAR(at->relative->cs->first, 0.0257154013, 5e-11);
  EXPECT_NEAR(at->relative->cs->second, 0.6800605122, 5e-11);
  EXPECT_EQ(at->theta, 0);
  EXPECT_TRUE(at->is_heavy());
}

TEST(Comparison, has_the_variances_of_the_worked_example) {
  const double r = std::log1p(0.2) * std::log1p(0.2) / (0.0629935514 * 0.0629935514);
  EXPECT_NEAR(r, 8.3769100881, 2e-8);
  // v = V_a / R_a^2 + V_b / R_b^2
  const double v = 0.0004196533982 / std::pow(40.0 / 107, 2) + 0.0002324710416 / std::pow(53.0 / 108, 2);
  EXPECT_NEAR(compare_arms(example_control(), example_arm(), of_eight_slots)->evidence.variance, v, 1e-12);
}

TEST(Comparison, says_how_much_more_is_needed_as_the_worked_example_does) {
  for (const auto& [mde, information] : {std::pair{0.05, 6389.7299751}, {0.02, 38788.3617257}}) {
    EXPECT_NEAR((more_time(1, std::log1p(mde), 0.05) + 1) / information, 1, 1e-10);
  }
  EXPECT_EQ(more_time(1e-9, std::log1p(0.05), 0.05), 0) << "there is more information than is needed";
  EXPECT_EQ(std::ceil(10 * more_time(0.001, std::log1p(0.05), 0.05)), 54) << "looks after ten, as docs/semantics.md says";
}

TEST(Comparison, transforms_t_as_wallace_does_and_back) {
  EXPECT_NEAR(normal_of_t(2.5, 10), 2.1503296305, 5e-11);
  for (const double df : {5.0, 11.3, 80.0, 255.0}) {
    for (const double t : {-4.0, -0.2, 0.0, 1.0, 7.5}) EXPECT_NEAR(*t_of_normal(normal_of_t(t, df), df), t, 1e-12);
  }
  EXPECT_FALSE(t_of_normal(80, 5)) << "exp() would overflow";
}

// normal_mixture_bound(v, 0.05, 100, 0.05, false) of confseq 0.0.11.
TEST(Comparison, reaches_as_far_as_confseq) {
  const double rho = 12.600560979256336;
  const std::vector<std::pair<double, double>> bounds{
      {10, 12.1907531463415}, {100, 30.352089903762529}, {1000, 102.51228683166386}, {25000, 582.91734587038002}};
  for (const auto& [v, bound] : bounds) EXPECT_NEAR(sequence_reach(v / rho, 0.05) * std::sqrt(v) / bound, 1, 1e-12);
}

TEST(Comparison, excludes_zero_for_all_looks_exactly_where_the_evidence_is_enough) {
  std::mt19937_64 random(1);
  int decided = 0;
  for (int run = 0; run < 200; ++run) {
    const SlotSums control = random_arm(random, 0.1);
    const SlotSums arm = random_arm(random, 0.1 + 0.0001 * static_cast<double>(run));
    for (const bool is_absolute : {false, true}) {
      const auto at = compare_arms(control, arm, {.is_absolute = is_absolute, .mde = is_absolute ? 0.005 : 0.05});
      ASSERT_TRUE(at && at->decisive().cs);
      const auto& [low, high] = *at->decisive().cs;
      EXPECT_EQ(low > 0 || high < 0, at->evidence.log_e >= std::log(1 / 0.05)) << run;
      EXPECT_LE(low, at->decisive().ci->first) << "many looks are paid for in width";
      decided += low > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(decided, 50);
  EXPECT_LT(decided, 390);
}

TEST(Comparison, of_swapped_arms_is_the_same_the_other_way_round) {
  std::mt19937_64 random(2);
  for (int run = 0; run < 50; ++run) {
    const SlotSums a = random_arm(random, 0.1, true);
    const SlotSums b = random_arm(random, 0.11, true);
    for (const bool is_paired : {false, true}) {
      const auto there = compare_arms(a, b, {.is_paired = is_paired, .mde = 0.05});
      const auto back = compare_arms(b, a, {.is_paired = is_paired, .mde = 0.05});
      ASSERT_TRUE(there && back);
      EXPECT_NEAR(there->evidence.y, -back->evidence.y, 1e-12);
      EXPECT_NEAR(there->evidence.log_e, back->evidence.log_e, 1e-9);
      EXPECT_NEAR((1 + there->relative->cs->first) * (1 + back->relative->cs->second), 1, 1e-9);
      EXPECT_NEAR(there->theta, back->theta, 1e-12);
    }
  }
}

TEST(Comparison, does_not_depend_on_the_unit_of_a_metric) {
  std::mt19937_64 random(3);
  const SlotSums a = random_arm(random, 0.1);
  const SlotSums b = random_arm(random, 0.12);
  SlotSums a16 = a, b16 = b;
  for (std::size_t g = 0; g < experiment_slots; ++g) a16.s[g] *= 16, b16.s[g] *= 16;
  const auto one = compare_arms(a, b, {.mde = 0.05}), sixteen = compare_arms(a16, b16, {.mde = 0.05});
  EXPECT_DOUBLE_EQ(one->evidence.log_e, sixteen->evidence.log_e);
  EXPECT_DOUBLE_EQ(one->absolute.value * 16, sixteen->absolute.value);
}

TEST(Comparison, takes_out_what_the_time_before_explains) {
  std::mt19937_64 random(4);
  const SlotSums a = random_arm(random, 0.1, true);
  const SlotSums b = random_arm(random, 0.1, true);
  const auto with = compare_arms(a, b, {.mde = 0.05});
  SlotSums a_plain = a, b_plain = b;
  a_plain.x = a_plain.p = b_plain.x = b_plain.p = {};
  const auto without = compare_arms(a_plain, b_plain, {.mde = 0.05});
  EXPECT_GT(with->variance_cut, 0.1);
  EXPECT_NEAR(with->variance_cut, 1 - with->evidence.variance / without->evidence.variance, 1e-12);
  EXPECT_EQ(without->variance_cut, 0);
  EXPECT_EQ(without->theta, 0);
}

// [S10.21] and [S10.22], written down once more: V and its degrees of freedom for the slots that `holds` says.
std::pair<double, double> spread_by_the_rule(const SlotSums& of, const SlotSums& other, double theta, bool with_members) {
  const auto both = [&](SlotColumn SlotSums::* column) { return from_q32(total_of(of.*column) + total_of(other.*column)); };
  const auto own = [&](SlotColumn SlotSums::* column) { return from_q32(total_of(of.*column)); };
  const double before = both(&SlotSums::x) / both(&SlotSums::p);
  const double mean = (own(&SlotSums::x) - before * own(&SlotSums::p)) / own(&SlotSums::m);
  const double ratio = own(&SlotSums::s) / own(&SlotSums::n);
  double slots = 0, squares = 0, fourths = 0;
  for (std::size_t g = 0; g < experiment_slots; ++g) {
    if (of.n[g] == 0 && !(with_members && of.m[g] > 0)) continue;
    const double weight = from_q32(of.x[g]) - before * from_q32(of.p[g]) - mean * from_q32(of.m[g]);
    const double psi =
        (from_q32(of.s[g]) - ratio * from_q32(of.n[g])) / own(&SlotSums::n) - theta * weight / own(&SlotSums::m);
    slots += 1;
    squares += psi * psi;
    fourths += psi * psi * psi * psi;
  }
  const double kurtosis = slots * fourths / (squares * squares);
  return {slots / (slots - 1) * squares,
          kurtosis <= 1 ? slots - 1 : std::min(slots - 1, std::max(1.0, 2 * slots / (kurtosis - 1)))};
}

// Members whose lists are not in the metric's mean: what their time before says is in the arm's value, and so in V.
TEST(Comparison, with_cuped_counts_slots_that_have_members_and_no_lists) {
  std::mt19937_64 random(8);
  SlotSums a = random_arm(random, 0.1, true);
  SlotSums b = random_arm(random, 0.12, true);
  for (std::size_t g = 0; g < experiment_slots; ++g) {
    if (g % 2 == 0) a.s[g] = a.n[g] = 0;
    if (g % 3 == 0) b.s[g] = b.n[g] = 0;
  }
  const auto at = compare_arms(a, b, {.is_absolute = true, .mde = 0.01});
  ASSERT_TRUE(at);
  ASSERT_NE(at->theta, 0);
  const auto [v_a, df_a] = spread_by_the_rule(a, b, at->theta, true);
  const auto [v_b, df_b] = spread_by_the_rule(b, a, at->theta, true);
  EXPECT_NEAR(at->evidence.variance / (v_a + v_b), 1, 1e-9);
  EXPECT_NEAR(at->evidence.df / ((v_a + v_b) * (v_a + v_b) / (v_a * v_a / df_a + v_b * v_b / df_b)), 1, 1e-9);
  const double without = spread_by_the_rule(a, b, 0, false).first + spread_by_the_rule(b, a, 0, false).first;
  EXPECT_NEAR(at->variance_cut, 1 - (v_a + v_b) / without, 1e-9) << "without CUPED a slot without lists says nothing";
}

// A slot's lists in both arms rise and fall together: what they have in common cancels in the difference.
TEST(Comparison, of_paired_arms_does_without_what_they_have_in_common) {
  std::mt19937_64 random(5);
  SlotSums a, b;
  for (std::size_t g = 0; g < experiment_slots; ++g) {
    const double taste = 0.05 + static_cast<double>(random() % 1000) / 5000;
    for (SlotSums* arm : {&a, &b}) {
      arm->n[g] = to_q32_wide(100);
      arm->s[g] = to_q32_wide(100 * taste + static_cast<double>(random() % 100) / 100);
    }
  }
  const auto apart = compare_arms(a, b, {.mde = 0.05});
  const auto paired = compare_arms(a, b, {.is_paired = true, .mde = 0.05});
  EXPECT_LT(paired->evidence.variance * 20, apart->evidence.variance);
}

TEST(Comparison, is_of_few_events_where_an_arm_shows_too_little) {
  std::mt19937_64 random(6);
  const SlotSums many = random_arm(random, 0.1);
  EXPECT_FALSE(compare_arms(many, many, {.mde = 0.05})->is_few);
  SlotSums few;
  for (std::size_t g = 0; g < 19; ++g) few.s[g] = few.n[g] = to_q32(1);
  EXPECT_TRUE(compare_arms(many, few, {.mde = 0.05})->is_few) << "19 slots have a numerator";
  SlotSums equal;
  for (std::size_t g = 0; g < 64; ++g) equal.s[g] = to_q32(0.5), equal.n[g] = to_q32(1);
  EXPECT_TRUE(compare_arms(many, equal, {.mde = 0.05})->is_few) << "one arm has no variance";
  SlotSums heavy = many;
  heavy.s[7] += to_q32_wide(1e6);
  EXPECT_FALSE(compare_arms(heavy, heavy, {.mde = 0.05})) << "one user decides both arms";
  SlotSums negative = many;
  for (Int128& sum : negative.s) sum = -sum;
  const auto below = compare_arms(many, negative, {.mde = 0.05});
  EXPECT_TRUE(below->is_few && !below->relative) << "a share of the control is not defined";
  EXPECT_FALSE(compare_arms(many, negative, {.is_absolute = true, .mde = 0.05})->is_few);
  EXPECT_EQ(compare_arms(SlotSums(), SlotSums(), {.mde = 0.05}).error(), Missing::no_lists);
  EXPECT_FALSE(ratio_of(SlotSums()));
}

TEST(Comparison, keeps_the_smallest_p_of_all_looks) {
  EXPECT_EQ(p_always(-0.5), 1) << "no look has said anything yet";
  EXPECT_DOUBLE_EQ(p_always(std::log(20.0)), 0.05);
}

TEST(Comparison, of_a_preference_is_against_zero) {
  SlotSums wins;
  for (std::size_t g = 0; g < 100; ++g) {
    wins.n[g] = to_q32(4);
    wins.s[g] = to_q32(g % 4 == 0 ? -1 : 2);
  }
  const auto at = compare_with_zero(wins, {.mde = 0.02});
  ASSERT_TRUE(at);
  EXPECT_DOUBLE_EQ(at->arm, (75 * 2 - 25) / 400.0);
  EXPECT_GT(at->absolute.cs->first, 0);
  EXPECT_FALSE(at->relative);
}

TEST(SlotSums, of_parts_add_up_to_those_of_the_whole_in_any_order) {
  std::mt19937_64 random(7);
  const SlotSums a = random_arm(random, 0.1, true), b = random_arm(random, 0.2, true);
  SlotSums ab = a, ba = b;
  ab += b;
  ba += a;
  EXPECT_EQ(ab.s, ba.s);
  EXPECT_EQ(ab.x, ba.x);
  EXPECT_EQ(total_of(ab.n), total_of(a.n) + total_of(b.n));
  EXPECT_EQ(from_q32(total_of(ab.m)), 6000);
}

}  // namespace
}  // namespace recmeter
