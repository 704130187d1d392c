// How often the 95 % interval of a rank holds the truth: simulated logs of 1,000 users, a fixed seed each.
#include <gtest/gtest.h>

#include <array>
#include <iomanip>
#include <iostream>

#include "app/examination/estimate.h"
#include "examination/simulated_looks.h"
#include "support/effort.h"

namespace recmeter::examining {
namespace {

// By rank from 2, and of all ranks together.
struct Coverage {
  std::array<double, examination_truth.size()> by_rank{};
  double all = 0;
};

Coverage coverage_of(Shown shown, const char* what) {
  Coverage coverage;
  const auto logs = support::effort(300, 3000);
  const double share = 1 / static_cast<double>(logs);
  constexpr double ranks = examination_truth.size() - 1;
  for (std::uint64_t log = 1; log <= logs; ++log) {
    ShowCounts counts = simulated_looks({.shown = shown}, 1000 + log);
    const Examined examined = shown == Shown::random ? random_order(counts, {}) : harvested(counts, {});
    for (std::size_t i = 1; i < examination_truth.size(); ++i) {
      const auto& ci = examined.ranks.at(i).ci;
      if (!ci) ADD_FAILURE() << "log " << log << " says nothing of rank " << i + 1;
      const bool holds = ci && ci->first <= examination_truth[i] && examination_truth[i] <= ci->second;
      coverage.by_rank[i] += holds ? share : 0;
      coverage.all += holds ? share / ranks : 0;
    }
  }
  std::cout << std::setw(10) << what << ", " << logs << " logs, ranks from 2:" << std::fixed << std::setprecision(4);
  for (std::size_t i = 1; i < coverage.by_rank.size(); ++i) std::cout << "  " << coverage.by_rank[i];
  std::cout << "  all " << coverage.all << '\n';
  return coverage;
}

void expect_near_95_percent(const Coverage& coverage) {
  if (support::under_sanitizer) return;
  for (std::size_t i = 1; i < coverage.by_rank.size(); ++i) {
    EXPECT_GE(coverage.by_rank[i], 0.92) << "rank " << i + 1;
    EXPECT_LE(coverage.by_rank[i], 0.98) << "rank " << i + 1;
  }
  EXPECT_GE(coverage.all, 0.93);
  EXPECT_LE(coverage.all, 0.97);
}

TEST(ExaminationIntervals, of_random_order_cover_the_truth) {
  expect_near_95_percent(coverage_of(Shown::random, "random"));
}

TEST(ExaminationIntervals, of_variants_cover_the_truth) {
  expect_near_95_percent(coverage_of(Shown::variants, "variants"));
}

}  // namespace
}  // namespace recmeter::examining
