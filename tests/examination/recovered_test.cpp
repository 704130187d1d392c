// Where better items stand on top, both estimates find how likely each rank is looked at, and the ratio of click rates, which
// most would take, does not.
#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>
#include <iostream>

#include "app/examination/estimate.h"
#include "examination/simulated_looks.h"
#include "support/effort.h"

namespace recmeter::examining {
namespace {

constexpr std::size_t users = support::under_sanitizer ? 5000 : 400'000;

// The largest error of a rank, over the truth.
double worst_error(const Examined& examined, const char* what) {
  double worst = 0;
  std::cout << std::setw(10) << what << std::fixed << std::setprecision(4);
  for (std::size_t i = 1; i < examination_truth.size(); ++i) {
    const double value = examined.ranks.at(i).value.value_or(0);
    std::cout << "  " << value;
    worst = std::max(worst, std::abs(value / examination_truth[i] - 1));
  }
  std::cout << "  worst error " << worst << '\n';
  return worst;
}

TEST(ExaminationSimulation, random_order_finds_the_truth) {
  const double error = worst_error(random_order(simulated_looks({.shown = Shown::random, .users = users}, 1), {}), "random");
  if (support::under_sanitizer) return;
  EXPECT_LT(error, 0.02);
}

TEST(ExaminationSimulation, variants_find_the_truth) {
  ShowCounts counts = simulated_looks({.shown = Shown::variants, .users = users}, 2);
  const double error = worst_error(harvested(counts, {}), "variants");
  if (support::under_sanitizer) return;
  EXPECT_LT(error, 0.02);
}

// What random_order() would be of lists that are in no random order: click rates over that at rank 1.
TEST(ExaminationSimulation, the_plain_ratio_of_click_rates_does_not) {
  const Examined naive = random_order(simulated_looks({.shown = Shown::ranked, .users = users}, 3), {});
  EXPECT_GT(worst_error(naive, "naive"), 0.5);
  if (support::under_sanitizer) return;
  for (std::size_t i = 1; i < examination_truth.size(); ++i) {
    const RankExamination& at = naive.ranks.at(i);
    EXPECT_LT(at.ci.value().second, 0.8 * examination_truth[i]) << "rank " << i + 1;
  }
}

// Nor do lists of one variant become more than they are.
TEST(ExaminationSimulation, one_variant_compares_nothing) {
  ShowCounts counts = simulated_looks({.shown = Shown::ranked, .users = 1000}, 4);
  const Examined examined = harvested(counts, {});
  EXPECT_EQ(examined.known(), 1U);
  EXPECT_EQ(examined.ranks.at(1).reason, Reason::too_few);
}

}  // namespace
}  // namespace recmeter::examining
