// Cells of made-up experiments: few users and many, even arms and uneven ones, rare events and common ones, heavy users and
// money without a bound. Each cell has reference figures, worked out with code that shares nothing with the product; 28
// looks. RECMETER_LONG=1: 2,000 experiments of each, the figures of docs/experiments.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "recmeter/experiment/comparison.h"
#include "simulation/watched_comparison.h"
#include "support/effort.h"
#include "support/experiment_traffic.h"

namespace recmeter {
namespace {

using support::Dice;
using support::normal_of;
using support::unit_of;

constexpr double alpha = 0.05;
constexpr double index = 1.3;  // of Pareto distributions here
constexpr double pending = std::numeric_limits<double>::quiet_NaN();

enum class Kind : std::uint8_t {
  one,    // a list a user
  heavy,  // up to 300 lists a user, whose rate is its own
  ratio,  // the same, pooled over 1 to 30 items a list
  money,  // a list a user; an order has no cap
  draft,  // a list a user, which prefers one of two teams
};

// Shares of the experiments; `pending`: no reference.
struct Figures {
  double few = pending;        // false at a look of few events
  double sequence = pending;   // found at any look; false where there is no difference
  double last_look = pending;  // that, or at the last look
  double quarter = pending;    // the same with a quarter of alpha
  double intervals = pending;
  double misses = pending;  // of those intervals, for one look
  double look = pending;    // the median one that knew
  double missed = pending;  // the truth lay outside the interval for all looks
  double wrong_way = 0;
};

struct Cell {
  std::string name;
  Kind kind = Kind::one;
  std::size_t users = 0;  // of both arms
  double arm_share = 0.5;
  std::array<double, 2> rates{};
  double mde = 0.05;
  int looks = 28;
  Figures expected;
};

void PrintTo(const Cell& of, std::ostream* out) {
  *out << of.name;
}

double pareto(Dice& dice) {
  return std::pow(unit_of(dice), -1 / index);
}

// The rate of a heavy user; of common events those that are missing are rare.
double rate_of(double mean, Dice& dice) {
  const bool is_common = mean > 0.9;
  const double rate = std::min(0.97, (is_common ? 1 - mean : mean) * std::exp(normal_of(dice) - 0.5));
  return is_common ? 1 - rate : rate;
}

// Lists by look, with the arm and slot of each.
class Course {
 public:
  Course(const Cell& cell, Dice& dice) : cell_(cell), added_(static_cast<std::size_t>(cell.looks)) {
    for (std::size_t user = 0; user < cell.users; ++user) {
      const std::size_t slot = dice.below(experiment_slots);
      const std::size_t arm = cell.kind != Kind::draft && unit_of(dice) < cell.arm_share ? 1 : 0;
      const double mean = cell.rates.at(arm);
      if (cell.kind == Kind::one || cell.kind == Kind::money || cell.kind == Kind::draft) {
        const std::size_t look = user * added_.size() / cell.users;
        add(look, arm, slot, value_of(mean, dice), 1);
        continue;
      }
      const double rate = rate_of(mean, dice);
      for (auto left = static_cast<int>(std::min(300.0, std::floor(pareto(dice)))); left > 0; --left) {
        const int items = cell.kind == Kind::ratio ? 1 + static_cast<int>(dice.below(30)) : 1;
        int hits = 0;
        for (int item = 0; item < items; ++item) hits += unit_of(dice) < rate ? 1 : 0;
        add(dice.below(added_.size()), arm, slot, hits, items);
      }
    }
  }

  // The comparison at each look, from the first to the last.
  template <class Look>
  void each_look(double alpha_all, Look&& at_look) const {
    std::array<SlotSums, 2> sums;
    for (std::size_t look = 0; look < added_.size(); ++look) {
      for (const Added& one : added_[look]) {
        sums.at(one.arm).s.at(one.slot) += to_q32_wide(one.s);
        sums.at(one.arm).n.at(one.slot) += to_q32_wide(one.n);
      }
      const bool is_last = look + 1 == added_.size();
      const ComparisonRule rule{.mde = cell_.mde,
                                .alpha = alpha,
                                .alpha_all = alpha_all,
                                .range = range(),
                                .look = is_last ? PlannedLook::last : PlannedLook::early};
      const Compared at = cell_.kind == Kind::draft ? compare_with_zero(sums[0], rule) : compare_arms(sums[0], sums[1], rule);
      at_look(static_cast<int>(look) + 1, at ? std::optional(*at) : std::nullopt);
    }
  }

  [[nodiscard]] TrueDifference truth() const {
    if (cell_.kind == Kind::draft) return {.absolute = 1};
    const auto [control, arm] = cell_.rates;
    const double worth = cell_.kind == Kind::money ? 10 * index / (index - 1) : 1;
    return {.relative = arm / control - 1, .absolute = (arm - control) * worth};
  }

 private:
  struct Added {
    std::uint8_t arm;
    std::uint8_t slot;
    double s;
    double n;
  };

  void add(std::size_t look, std::size_t arm, std::size_t slot, double s, double n) {
    added_[look].push_back({static_cast<std::uint8_t>(arm), static_cast<std::uint8_t>(slot), s, n});
  }
  [[nodiscard]] double value_of(double mean, Dice& dice) const {
    if (cell_.kind == Kind::draft) return 1;
    if (unit_of(dice) >= mean) return 0;
    return cell_.kind == Kind::money ? 10 * pareto(dice) : 1;
  }
  [[nodiscard]] MetricRange range() const {
    if (cell_.kind == Kind::draft) return {-1, 1};
    return {0, cell_.kind == Kind::money ? std::numeric_limits<double>::infinity() : 1};
  }

  Cell cell_;
  std::vector<std::vector<Added>> added_;  // by look
};

WatchedComparison watched(const Course& course, double alpha_all) {
  WatchedComparison out{.truth = course.truth()};
  course.each_look(alpha_all, [&](int look, const std::optional<Comparison>& at) { out.look(look, at, alpha_all); });
  return out;
}

std::uint64_t runs() {
  return support::effort(10, 2'000);
}

Figures figures_of(const Cell& cell) {
  Figures out{0, 0, 0, 0, 0, 0, 0, 0, 0};
  const double each = 1 / static_cast<double>(runs());
  std::vector<double> looks;
  for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
    Dice dice(seed);
    const Course course(cell, dice);
    const WatchedComparison at = watched(course, alpha);
    out.few += at.is_few_found ? each : 0;
    out.sequence += at.found ? each : 0;
    out.last_look += at.found || at.is_ever_sure ? each : 0;
    out.intervals += at.has_ci() ? each : 0;
    out.misses += at.has_ci() && !at.covers() ? each : 0;
    out.missed += at.is_truth_missed ? each : 0;
    out.wrong_way += at.has_wrong_sign ? each : 0;
    if (at.found) looks.push_back(*at.found);
    if (std::isnan(cell.expected.quarter)) continue;
    const WatchedComparison strict = watched(course, alpha / 4);
    out.quarter += strict.found || strict.is_ever_sure ? each : 0;
  }
  if (out.intervals > 0) out.misses /= out.intervals;
  if (looks.empty()) return out;
  std::ranges::nth_element(looks, looks.begin() + static_cast<std::ptrdiff_t>(looks.size() / 2));
  out.look = looks[looks.size() / 2];
  return out;
}

// Other seeds, at 2,000 experiments; fewer say less.
void expect_share(double measured, double expected, std::string_view name) {
  if (std::isnan(expected)) return;
  const double few_runs = 3.5 / std::sqrt(static_cast<double>(runs()));
  const double tolerance = runs() >= 2'000 ? (expected < 0.1 ? 0.015 : 0.04) : few_runs;
  EXPECT_NEAR(measured, expected, tolerance) << name;
}

class ExperimentOfACell : public testing::TestWithParam<Cell> {};

TEST_P(ExperimentOfACell, is_as_often_wrong_and_as_often_found_as_its_reference) {
  const Cell& cell = GetParam();
  const Figures& expected = cell.expected;
  const Figures of = figures_of(cell);
  std::cout << fmt::format(
      "{:32} few {:.3f} sequence {:.3f} last look {:.3f} quarter {:.3f} intervals {:.3f} misses {:.3f} look {:.0f} missed "
      "{:.3f}\n",
      cell.name, of.few, of.sequence, of.last_look, of.quarter, of.intervals, of.misses, of.look, of.missed);
  expect_share(of.few, expected.few, "few");
  expect_share(of.sequence, expected.sequence, "sequence");
  expect_share(of.last_look, expected.last_look, "with last look");
  expect_share(of.quarter, expected.quarter, "a quarter of alpha");
  expect_share(of.intervals, expected.intervals, "intervals");
  expect_share(of.misses, expected.misses, "intervals that miss");
  expect_share(of.missed, expected.missed, "truth missed");
  EXPECT_EQ(of.wrong_way, 0);
  if (std::isnan(expected.look) || of.sequence * static_cast<double>(runs()) < 5) return;
  EXPECT_NEAR(of.look, expected.look, runs() >= 2'000 ? 2 : 6);
}

using enum Kind;

Figures none(double few, double sequence, double last_look, double quarter, double intervals, double misses) {
  return {
      .few = few, .sequence = sequence, .last_look = last_look, .quarter = quarter, .intervals = intervals, .misses = misses};
}
const std::vector<Cell> alike{
    {"one_1000_rare", one, 1'000, 0.5, {0.005, 0.005}, 1, 28, none(0, 0, 0, 0, 1, 0.002)},
    {"one_10000", one, 10'000, 0.5, {0.05, 0.05}, 0.280, 28, none(0.002, 0.016, 0.037, 0.012, 1, 0.057)},
    {"one_10000_99_to_1", one, 10'000, 0.01, {0.5, 0.5}, 0.326, 28, none(0.008, 0.027, 0.041, 0.014, 1, 0.055)},
    {"one_10000_168_looks", one, 10'000, 0.01, {0.5, 0.5}, 0.02, 168, none(0.014, 0.014, 0.050, 0.013, 1, 0.048)},
    {"one_100000_99_to_1", one, 100'000, 0.01, {0.0005, 0.0005}, 1, 28, none(0, 0, 0, 0, 1, 0)},
    {"heavy_200", heavy, 200, 0.1, {0.5, 0.5}, 1, 28, none(0.016, 0.016, 0.027, 0.013, 1, 0.029)},
    {"heavy_2000", heavy, 2'000, 0.5, {0.05, 0.05}, 0.631, 28, none(0, 0.009, 0.018, 0.005, 1, 0.044)},
    {"heavy_2000_90_to_10", heavy, 2'000, 0.1, {0.95, 0.95}, 0.02, 28, none(0, 0.029, 0.046, 0.015, 1, 0.059)},
    {"ratio_200", ratio, 200, 0.1, {0.05, 0.05}, 1, 28, none(0.012, 0.012, 0.017, 0.009, 1, 0.018)},
    {"money_20000_90_to_10", money, 20'000, 0.1, {0.2, 0.2}, 0.584, 28, none(0, 0.004, 0.005, 0.001, 0.54, 0.037)},
    {"money_20000_99_to_1", money, 20'000, 0.01, {0.2, 0.2}, 1, 28, none(0, 0, 0.002, 0, 0.59, 0.004)},
};

Figures found(double sequence, double look, double last_look, double missed) {
  return {.sequence = sequence, .last_look = last_look, .look = look, .missed = missed};
}
const std::vector<Cell> apart{
    {"one_4000_to_none", one, 4'000, 0.5, {0.3, 0}, 0.05, 28, found(1, 1, 1, 0.010)},
    {"one_4000_from_none", one, 4'000, 0.5, {0, 0.15}, 0.05, 28, found(1, 2, 1, 0.014)},
    {"one_4000_to_few", one, 4'000, 0.5, {0.3, 0.0075}, 0.05, 28, found(1, 1, 1, 0.025)},
    {"one_4000_to_all", one, 4'000, 0.5, {0.95, 1}, 0.05, 28, found(1, 5, 1, 0.010)},
    {"one_4000_of_rare", one, 4'000, 0.5, {0.02, 0}, 0.05, 28, found(1, 12, 1, 0.015)},
    {"one_4000_to_rare", one, 4'000, 0.5, {0, 0.005}, 0.05, 28, found(0.05, 26, 0.58, 0.001)},
    {"one_400", one, 400, 0.5, {0.3, 0}, 0.05, 28, found(1, 6, 1, 0.010)},
    {"one_40000_from_none", one, 40'000, 0.01, {0, 0.05}, 0.05, 28, found(0.98, 16, 1, 0.030)},
    {"one_40000_of_rare", one, 40'000, 0.01, {0.01, 0}, 0.05, 28, found(0, pending, 0.01, 0)},
    {"heavy_2000_to_none", heavy, 2'000, 0.5, {0.02, 0}, 0.05, 28, found(0.90, 9, 0.93, 0.031)},
    {"heavy_2000_to_rare", heavy, 2'000, 0.1, {0.02, 0.002}, 0.05, 28, found(0.10, 23, 0.51, 0.001)},
    {"heavy_20000", heavy, 20'000, 0.01, {0.005, 0.05}, 0.05, 28, found(0.63, 14, 0.85, 0.079)},
    // No reference for the truth: without a finite variance most samples have a mean far below the true one.
    {"money_20000_to_none", money, 20'000, 0.5, {0.05, 0}, 0.05, 28, found(0.91, 4, 0.92, pending)},
    {"draft_300", draft, 300, 0, {1, 1}, 0.02, 28, found(1, 2, 1, 0)},
    {"draft_40", draft, 40, 0, {1, 1}, 0.02, 28, found(1, 14, 1, 0)},
};
INSTANTIATE_TEST_SUITE_P(Alike, ExperimentOfACell, testing::ValuesIn(alike), [](const auto& at) { return at.param.name; });
INSTANTIATE_TEST_SUITE_P(Apart, ExperimentOfACell, testing::ValuesIn(apart), [](const auto& at) { return at.param.name; });

}  // namespace
}  // namespace recmeter
