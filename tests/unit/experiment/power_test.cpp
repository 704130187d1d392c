// How much information an experiment needs, against what many made-up experiments have found.
#include <gtest/gtest.h>

#include <cmath>

#include "recmeter/experiment/comparison.h"
#include "recmeter/experiment/power.h"
#include "support/dice.h"

namespace recmeter {
namespace {

double normal(support::Dice& dice) {
  const auto unit = [&] { return (static_cast<double>(dice.below(1U << 30)) + 0.5) / (1U << 30); };
  return std::sqrt(-2 * std::log(unit())) * std::cos(2 * M_PI * unit());
}

// Shares of 4,000 experiments of 672 looks.
double found_by_trying(double r, double alpha) {
  support::Dice dice(1);
  constexpr int runs = 4000, looks = 672;
  int found = 0;
  for (int run = 0; run < runs; ++run) {
    double score = 0;
    for (int look = 1; look <= looks; ++look) {
      score += r / looks + normal(dice) * std::sqrt(r / looks);
      const double at = r * look / looks;
      const double reach = look < looks ? sequence_reach(at, alpha) : planned_reach(at, alpha, PlannedLook::last, false);
      if (std::abs(score) < reach * std::sqrt(at)) continue;
      found += score > 0 ? 1 : 0;
      break;
    }
  }
  return static_cast<double>(found) / runs;
}

TEST(Power, is_what_many_experiments_find) {
  for (const double r : {6.0, 8.0, 10.0, 16.0}) EXPECT_NEAR(share_found(r, 0.05), found_by_trying(r, 0.05), 0.025) << r;
  EXPECT_NEAR(share_found(12, 0.0125), found_by_trying(12, 0.0125), 0.025);
}

TEST(Power, grows_with_information_and_falls_with_alpha) {
  EXPECT_LT(share_found(4, 0.05), share_found(8, 0.05));
  EXPECT_LT(share_found(8, 0.01), share_found(8, 0.05));
  const double r = information_for(0.8, 0.05);
  EXPECT_NEAR(share_found(r, 0.05), 0.8, 0.002);
  // More than one planned look needs, and less than the sequence alone (1.9 times as much).
  const double planned = std::pow(two_sided_normal(0.05) + 0.8416212335729143, 2);
  EXPECT_GT(r, planned);
  EXPECT_LT(r, 1.5 * planned);
  EXPECT_GT(information_for(0.8, 0.0125), r);
}

}  // namespace
}  // namespace recmeter
