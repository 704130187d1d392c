// Experiments of more than two arms and one metric, without a difference: what verdicts, discoveries, the sample ratio and
// team drafts say that is not so. Metrics of one experiment are independent here, the worst case for their union.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "recmeter/experiment/discovery.h"
#include "recmeter/experiment/sample_ratio.h"
#include "recmeter/experiment/verdict.h"
#include "simulation/experiment_course.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::Dice;
using support::ExperimentTraffic;

constexpr double alpha = 0.05;
constexpr double fdr = 0.1;

std::uint64_t runs() {
  return support::effort(6, 400);
}

// The share of runs, told, in which `is_false(dice)`.
template <class IsFalse>
double false_share(std::string_view name, std::uint64_t count, IsFalse&& is_false) {
  double out = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    Dice dice(seed);
    out += is_false(dice) ? 1.0 / static_cast<double>(count) : 0.0;
  }
  std::cout << fmt::format("{:28} runs {} false {:.4f}\n", name, count, out);
  return out;
}

struct Tested {
  TestRole role;
  double mde;
  double alpha_all;
};

// Whether a look at an arm says that it is better or worse, which it is not.
bool is_misjudged(const ExperimentTraffic& traffic, const std::vector<Tested>& tested, Dice& dice) {
  std::deque<ExperimentCourse> metrics;
  for (std::size_t i = 0; i < tested.size(); ++i) metrics.emplace_back(traffic, dice);
  for (int hour = 0; hour < support::experiment_hours; ++hour) {
    for (ExperimentCourse& metric : metrics) metric.advance(hour);
    for (std::size_t arm = 1; arm < traffic.allocation.size(); ++arm) {
      std::vector<TestResult> results;
      for (std::size_t i = 0; i < tested.size(); ++i) {
        const auto& [role, mde, alpha_all] = tested[i];
        results.push_back(
            {"m", role, true, mde, metrics[i].compare(arm, {.mde = mde, .alpha = alpha, .alpha_all = alpha_all})});
      }
      const Verdict said = verdict_of({.has_lists = true, .is_long_enough = true}, results);
      if (said.reason == "better:m" || said.reason == "worse:m" || said.reason == "guardrail_worse:m") return true;
    }
  }
  return false;
}

TEST(ExperimentOfSeveralArms, misjudges_none_of_them_however_often_one_looks) {
  const ExperimentTraffic traffic{.allocation = {0.25, 0.25, 0.25, 0.25}};
  EXPECT_LE(false_share("four arms", runs(),
                        [&](Dice& dice) { return is_misjudged(traffic, {{TestRole::primary, 0.2, alpha / 3}}, dice); }),
            runs() >= 400 ? 0.05 : 0.34);
}

TEST(ExperimentWithGuardrails, misjudges_none_of_its_metrics_however_often_one_looks) {
  EXPECT_LE(false_share("two primaries, two guardrails", runs(),
                        [&](Dice& dice) {
                          return is_misjudged({},
                                              {{TestRole::primary, 0.15, alpha / 2},
                                               {TestRole::primary, 0.15, alpha / 2},
                                               {TestRole::guardrail, 0.15, alpha / 2},
                                               {TestRole::guardrail, 0.15, alpha / 2}},
                                              dice);
                        }),
            runs() >= 400 ? 0.05 : 0.34);
}

TEST(ExperimentWithManySecondaries, discovers_hardly_any_without_a_difference_at_any_look) {
  constexpr std::size_t secondaries = 10;
  EXPECT_LE(false_share("e-BH of ten, any look", runs() / 2,
                        [&](Dice& dice) {
                          std::deque<ExperimentCourse> metrics;
                          for (std::size_t i = 0; i < secondaries; ++i) metrics.emplace_back(ExperimentTraffic{}, dice);
                          for (int hour = 0; hour < support::experiment_hours; ++hour) {
                            std::vector<std::optional<double>> log_e;
                            for (ExperimentCourse& metric : metrics) {
                              metric.advance(hour);
                              const auto at = metric.compare(1, {.mde = 0.15});
                              log_e.push_back(at ? std::optional(at->evidence.log_e) : std::nullopt);
                            }
                            if (std::ranges::count(discoveries(log_e, fdr), true) > 0) return true;
                          }
                          return false;
                        }),
            runs() >= 400 ? fdr : 0.34);
}

// Users one by one; a look at each 672nd part of them.
std::optional<double> alarm_of(const std::array<double, 2>& planned, double second, std::uint64_t users, Dice& dice) {
  std::array<std::uint64_t, 2> counts{};
  for (std::uint64_t user = 1; user <= users; ++user) {
    ++counts[support::unit_of(dice) < second ? 1 : 0];
    if (user % (users / support::experiment_hours) != 0) continue;
    if (sample_ratio_log_e(counts, planned) >= sample_ratio_alarm) return static_cast<double>(user);
  }
  return {};
}

TEST(SampleRatio, of_an_experiment_is_flagged_where_it_is_wrong_and_hardly_ever_elsewhere) {
  const auto share = [&](std::string_view name, std::array<double, 2> planned, double second, std::uint64_t users) {
    return false_share(name, runs(), [&](Dice& dice) { return alarm_of(planned, second, users, dice).has_value(); });
  };
  const bool is_many = runs() >= 400;
  EXPECT_LE(share("SRM 50/50, 20 k", {0.5, 0.5}, 0.5, 20'000), 0.01);
  EXPECT_LE(share("SRM 50/50, 200 k", {0.5, 0.5}, 0.5, 200'000), 0.01);
  EXPECT_GE(share("SRM 51/49, 200 k", {0.5, 0.5}, 0.49, 200'000), 0.98);
  EXPECT_NEAR(share("SRM 50.5/49.5, 200 k", {0.5, 0.5}, 0.495, 200'000), 0.61, is_many ? 0.07 : 0.5);
  EXPECT_NEAR(share("SRM 5 % gets 4.75 %, 200 k", {0.95, 0.05}, 0.0475, 200'000), 0.82, is_many ? 0.06 : 0.5);
}

// Of 20 to 100,000 users, evenly by the logarithm, with a look after each user.
bool is_wrongly_flagged(std::uint64_t seed, Dice& dice) {
  const std::vector<std::vector<double>> plans{{0.5, 0.5}, {0.5, 0.5}, {0.9, 0.1}, {0.4, 0.3, 0.2, 0.1}};
  const std::vector<double>& planned = plans[seed % plans.size()];
  const double users = std::floor(20 * std::pow(5'000, support::unit_of(dice)));
  std::vector<std::uint64_t> counts(planned.size());
  for (double user = 0; user < users; ++user) {
    double unit = support::unit_of(dice);
    std::size_t arm = 0;
    for (; arm + 1 < planned.size() && unit >= planned[arm]; ++arm) unit -= planned[arm];
    ++counts[arm];
    if (sample_ratio_log_e(counts, planned) >= sample_ratio_alarm) return true;
  }
  return false;
}

TEST(SampleRatio, of_experiments_of_any_size_is_as_planned_however_often_one_looks) {
  std::uint64_t seed = 0;
  EXPECT_LE(false_share("SRM as planned, 20 to 100 k", support::effort(40, 2'000),
                        [&](Dice& dice) { return is_wrongly_flagged(++seed, dice); }),
            0.001);
}

// Lists of teams that please alike: a click goes to either, or to both.
TEST(TeamDraft, prefers_neither_of_two_that_please_alike_however_often_one_looks) {
  EXPECT_LE(false_share("team draft", runs(),
                        [&](Dice& dice) {
                          const auto lists = support::made_up_lists({.value = support::MadeUpValue::share}, dice);
                          SlotSums sums;
                          for (std::size_t i = 0; i < lists.size(); ++i) {
                            const auto credits = static_cast<int>(std::lround(lists[i].value * 10));
                            int difference = 0;
                            for (int credit = 0; credit < credits; ++credit) difference += dice.percent(50) ? 1 : -1;
                            sums.n[lists[i].slot] += to_q32(credits > 0 ? 1 : 0);
                            sums.s[lists[i].slot] += to_q32(difference > 0 ? 1 : (difference < 0 ? -1 : 0));
                            if (i + 1 < lists.size() && lists[i + 1].hour == lists[i].hour) continue;
                            const auto at = compare_with_zero(sums, {.mde = 0.02});
                            if (at && at->evidence.log_e >= std::log(1 / alpha)) return true;
                          }
                          return false;
                        }),
            runs() >= 400 ? 0.05 : 0.34);
}

}  // namespace
}  // namespace recmeter
