#include "recmeter/experiment/sample_ratio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace recmeter {
namespace {

double log_e(const std::vector<std::uint64_t>& counts, const std::vector<double>& allocation) {
  return sample_ratio_log_e(counts, allocation);
}

// sequential_bayes_factors of ssrm_test.
TEST(SampleRatio, is_that_of_the_reference) {
  EXPECT_NEAR(log_e({10120, 9880}, {0.5, 0.5}), 0.4107194310, 1e-8);
  EXPECT_NEAR(log_e({51000, 49000}, {0.5, 0.5}), 16.9840150215, 1e-8);
  EXPECT_NEAR(log_e({6100, 2900, 1000}, {0.6, 0.3, 0.1}), 0.5645648130, 1e-8);
  EXPECT_NEAR(log_e({0, 0}, {0.5, 0.5}), 0, 1e-8);
}

TEST(SampleRatio, is_hardly_ever_alarmed_by_a_split_as_planned_however_often_one_looks) {
  std::mt19937_64 random(1);
  int alarms = 0;
  for (int run = 0; run < 200; ++run) {
    std::array<std::uint64_t, 2> counts{};
    double highest = 0;
    for (int user = 0; user < 20'000; ++user) {
      ++counts[random() & 1];
      if (user % 30 == 0) highest = std::max(highest, sample_ratio_log_e(counts, std::array{0.5, 0.5}));
    }
    alarms += highest >= sample_ratio_alarm ? 1 : 0;
  }
  EXPECT_LE(alarms, 2);
}

TEST(SampleRatio, finds_a_wrong_split) {
  EXPECT_GT(log_e({102'000, 98'000}, {0.5, 0.5}), sample_ratio_alarm);
  EXPECT_LT(log_e({100'100, 99'900}, {0.5, 0.5}), 0);
}

}  // namespace
}  // namespace recmeter
