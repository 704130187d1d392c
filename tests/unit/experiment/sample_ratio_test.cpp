#include "recmeter/experiment/sample_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace recmeter {
namespace {

using Counts = std::vector<std::uint64_t>;
using Shares = std::vector<double>;

const Shares halves{0.5, 0.5};

double log_e(const Counts& counts, const Shares& allocation = halves) {
  return sample_ratio_log_e(counts, allocation);
}

// sequential_bayes_factors of ssrm_test.
TEST(SampleRatio, of_one_prior_is_that_of_the_reference) {
  EXPECT_NEAR(sample_ratio_log_e(Counts{10120, 9880}, halves, 10'000), 0.4107194310, 1e-8);
  EXPECT_NEAR(sample_ratio_log_e(Counts{51000, 49000}, halves, 10'000), 16.9840150215, 1e-8);
  EXPECT_NEAR(sample_ratio_log_e(Counts{6100, 2900, 1000}, Shares{0.6, 0.3, 0.1}, 10'000), 0.5645648130, 1e-8);
}

// By Python's math.lgamma.
TEST(SampleRatio, is_the_mean_of_four_priors) {
  EXPECT_NEAR(log_e({680, 320}), 61.9519573765, 1e-8);
  EXPECT_NEAR(log_e({108, 492}), 127.2602840321, 1e-8);
  EXPECT_NEAR(log_e({20, 60}), 6.8305501110, 1e-8);
  EXPECT_NEAR(log_e({101'000, 99'000}), 7.1516695585, 1e-7);
  EXPECT_NEAR(log_e({6100, 2900, 1000}, {0.6, 0.3, 0.1}), -0.3611117367, 1e-8);
  EXPECT_NEAR(log_e({0, 0}), 0, 1e-12);
}

// One user after the other: each factor is the chance of the arms seen, by Polya's urn, over that by the plan.
TEST(SampleRatio, is_what_betting_on_each_user_in_turn_wins) {
  struct Case {
    Counts counts;
    Shares planned;
  };
  for (const auto& [counts, planned] : {Case{{680, 320}, halves}, Case{{3, 0}, halves}, Case{{0, 300}, halves},
                                        Case{{5, 60, 2}, {0.2, 0.5, 0.3}}, Case{{40, 1}, {0.99, 0.01}}}) {
    long double sum = 0;
    for (const long double c : {10.0L, 100.0L, 1'000.0L, 10'000.0L}) {
      long double won = 1;
      std::uint64_t before = 0;
      for (std::size_t arm = 0; arm < counts.size(); ++arm) {
        for (std::uint64_t of_arm = 0; of_arm < counts[arm]; ++of_arm, ++before) {
          won *=
              (c * planned[arm] + static_cast<long double>(of_arm)) / (c + static_cast<long double>(before)) / planned[arm];
        }
      }
      sum += won;
    }
    EXPECT_NEAR(log_e(counts, planned), static_cast<double>(std::log(sum / 4)), 1e-9);
  }
}

TEST(SampleRatio, finds_a_wrong_split_of_few_users_and_of_many) {
  EXPECT_GE(log_e({430, 570}), sample_ratio_alarm);
  EXPECT_LT(log_e({431, 569}), sample_ratio_alarm);
  EXPECT_GE(log_e({0, 23}), sample_ratio_alarm);
  EXPECT_GT(log_e({102'000, 98'000}), sample_ratio_alarm);
  EXPECT_LT(log_e({100'100, 99'900}), 0);
}

}  // namespace
}  // namespace recmeter
