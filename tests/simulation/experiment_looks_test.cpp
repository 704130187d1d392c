// How sure an experiment is (docs/experiments.md): made-up experiments of 8,000 users and 672 looks, through the product's
// sums and comparisons. `false` is what any of all looks has said that is not so. RECMETER_LONG=1: 400 of each, the figures
// of the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulation/experiment_course.h"
#include "simulation/watched_comparison.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::Dice;
using support::ExperimentTraffic;
using support::MadeUpValue;

constexpr double alpha = 0.05;

std::uint64_t runs() {
  return support::effort(8, 400);
}

double median(std::vector<double> of) {
  if (of.empty()) return 0;
  std::ranges::nth_element(of, of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2));
  return of[of.size() / 2];
}

// Of many experiments of a kind.
struct Figures {
  double naive_false = 0, missed = 0, wrong_sign = 0, found = 0, fixed_found = 0;  // shares of the runs
  double cover = 0, width = 0, df = 0, variance_cut = 0, look = 0;                 // of those that end with an interval
  double true_cut = 0;                                                             // of the variance of y among the runs
  double known_share = 0;
  double nulls = 0;
};

double variance_of(const std::vector<double>& of) {
  double sum = 0, squares = 0;
  for (const double one : of) sum += one, squares += one * one;
  const auto n = static_cast<double>(of.size());
  return squares / n - sum / n * (sum / n);
}

Figures figures_of(const std::vector<WatchedComparison>& watched) {
  Figures out;
  const auto of = static_cast<double>(watched.size());
  std::vector<double> widths, dfs, cuts, looks, adjusted, plain;
  double covered = 0, fixed = 0;
  for (const WatchedComparison& one : watched) {
    out.naive_false += one.is_naive_false ? 1 / of : 0;
    out.missed += one.is_truth_missed ? 1 / of : 0;
    out.wrong_sign += one.has_wrong_sign ? 1 / of : 0;
    out.found += one.found ? 1 / of : 0;
    if (one.found) looks.push_back(*one.found);
    if (!one.has_width()) continue;
    covered += one.covers() ? 1 : 0;
    fixed += one.last->evidence.p < alpha ? 1 : 0;
    widths.push_back(one.width());
    dfs.push_back(one.last->evidence.df);
    cuts.push_back(one.last->variance_cut);
    adjusted.push_back(one.last->evidence.y);
    plain.push_back(one.plain_y);
    out.known_share = one.known_share;
  }
  const auto with = static_cast<double>(std::max<std::size_t>(1, widths.size()));
  out.cover = covered / with;
  out.fixed_found = fixed / with;
  out.nulls = 1 - static_cast<double>(widths.size()) / of;
  out.width = median(widths);
  out.df = median(dfs);
  out.variance_cut = median(cuts);
  out.look = median(looks);
  out.true_cut = 1 - variance_of(adjusted) / variance_of(plain);
  return out;
}

Figures simulated(const ExperimentTraffic& traffic, double mde, bool is_paired = false) {
  std::vector<WatchedComparison> watched;
  for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
    Dice dice(seed);
    ExperimentCourse course(traffic, dice, is_paired);
    WatchedComparison& watch = watched.emplace_back();
    watch.truth = TrueDifference::none();
    if (!traffic.lifts.empty()) watch.truth = {.relative = traffic.lifts[1]};
    for (int hour = 0; hour < support::experiment_hours; ++hour) {
      if (!course.advance(hour)) continue;
      watch.look(hour + 1, course.compare(1, {.mde = mde, .alpha = alpha, .alpha_all = alpha}), alpha);
    }
    watch.plain_y = course.plain_difference();
    watch.known_share = course.known_share();
  }
  return figures_of(watched);
}

void tell(std::string_view name, const Figures& of) {
  std::cout << fmt::format(
      "{:28} runs {} naive {:.3f} missed {:.3f} cover {:.3f} width {:.2f} df {:.0f} null {:.2f} found {:.3f} fixed {:.3f} "
      "look "
      "{:.0f} wrong {:.3f} cut {:.2f} true {:.2f} known {:.2f}\n",
      name, runs(), of.naive_false, of.missed, of.cover, of.width, of.df, of.nulls, of.found, of.fixed_found, of.look,
      of.wrong_sign, of.variance_cut, of.true_cut, of.known_share);
}

// At 400 runs as the figures say; at few only what cannot happen by chance.
bool is_many() {
  return runs() >= 400;
}

struct Case {
  std::string name;
  ExperimentTraffic traffic;
  double mde;
  double false_max = 0.04;  // at 400 runs
  double cover = 0.95;      // as docs/experiments.md has it
  double width = 1.6;       // likewise
  double df = 0;            // likewise
};

void PrintTo(const Case& of, std::ostream* out) {
  *out << of.name;
}

class ExperimentWithoutDifference : public testing::TestWithParam<Case> {};

TEST_P(ExperimentWithoutDifference, is_hardly_ever_said_to_have_one_however_often_one_looks) {
  const Case& at = GetParam();
  const Figures of = simulated(at.traffic, at.mde);
  tell(at.name, of);
  EXPECT_LE(of.missed, is_many() ? at.false_max : 0.25);
  EXPECT_EQ(of.missed, of.found) << "what misses 0 is what is found";
  if (!is_many()) return;
  EXPECT_NEAR(of.width, at.width, 0.04);
  EXPECT_NEAR(of.cover, at.cover, 0.06);
  EXPECT_NEAR(of.df, at.df, 0.2 * at.df);
}

using enum MadeUpValue;
const std::vector<Case> cases{
    {"share", {}, 0.15, 0.04, 0.952, 1.69, 22},
    {"share_95_to_5", {.allocation = {0.95, 0.05}}, 0.4, 0.05, 0.964, 1.8, 11},
    {"light_users", {.lists_max = 10, .taste_spread = 0.5}, 0.06, 0.04, 0.95, 1.57, 364},
    {"conversion", {.value = conversion}, 0.25, 0.04, 0.947, 1.58, 72},
    {"log_normal_orders", {.value = log_normal_order}, 0.3, 0.04, 0.945, 1.61, 58},
    {"pareto_orders", {.value = pareto_order}, 0.3, 0.04, 0.977, 1.6, 51},
    {"heavy_orders_cut_at_200", {.value = pareto_order, .pareto_shape = 1.3, .cap = 200}, 0.35, 0.04, 0.942, 1.58, 78},
    {"heavy_orders", {.value = pareto_order, .pareto_shape = 1.3}, 0.6, 0.04, 0.926, 1.78, 12},
};
INSTANTIATE_TEST_SUITE_P(Cases, ExperimentWithoutDifference, testing::ValuesIn(cases),
                         [](const auto& at) { return at.param.name; });

TEST(ExperimentWithADifference, is_hardly_ever_found_the_wrong_way_and_found_as_often_as_stated) {
  const Figures small = simulated({.lifts = {0, 0.24}}, 0.24);
  const Figures large = simulated({.lifts = {0, 0.48}}, 0.24);
  tell("lift of 24 %", small);
  tell("lift of 48 %", large);
  for (const Figures& of : {small, large}) EXPECT_LE(of.wrong_sign, 0.01);
  EXPECT_GE(large.found, is_many() ? 0.83 : 0.5);
  if (!is_many()) return;
  EXPECT_NEAR(small.fixed_found, 0.73, 0.07);
  EXPECT_NEAR(small.found, 0.43, 0.07);
  EXPECT_LE(small.missed, 0.04);
  EXPECT_NEAR(large.fixed_found, 0.99, 0.07);
  EXPECT_NEAR(large.found, 0.9, 0.07);
}

TEST(ExperimentWithCuped, knows_more_from_the_time_before_and_stays_true_while_it_is_watched) {
  const Figures share = simulated({.days_before = 28}, 0.15);
  const Figures fortnight = simulated({.days_before = 14}, 0.15);
  const Figures week = simulated({.days_before = 7}, 0.15);
  const Figures even_taste = simulated({.taste_spread = 0.5, .days_before = 7}, 0.15);
  const Figures rare = simulated({.value = conversion, .days_before = 7}, 0.25);
  tell("CUPED, share", share);
  tell("CUPED, share, 14 days", fortnight);
  tell("CUPED, share, 7 days", week);
  tell("CUPED, share, taste 0.5", even_taste);
  tell("CUPED, conversion", rare);
  EXPECT_GT(share.variance_cut, fortnight.variance_cut);
  EXPECT_GT(fortnight.variance_cut, week.variance_cut);
  EXPECT_GT(week.variance_cut, even_taste.variance_cut);
  EXPECT_GT(even_taste.variance_cut, rare.variance_cut);
  for (const Figures& of : {share, fortnight, week, even_taste, rare}) EXPECT_LE(of.missed, is_many() ? 0.05 : 0.25);
}

TEST(ExperimentOfLists, pairs_what_its_users_do_in_both_arms) {
  const Figures of = simulated({.mixed_share = 1}, 0.1, true);
  tell("assign: list", of);
  EXPECT_LE(of.missed, is_many() ? 0.05 : 0.25);
}

TEST(ExperimentWithMixedUsers, stays_true_while_they_are_few) {
  const Figures of = simulated({.mixed_share = 0.01}, 0.15);
  tell("mixed users, 1 %", of);
  EXPECT_LE(of.missed, is_many() ? 0.05 : 0.25);
}

}  // namespace
}  // namespace recmeter
