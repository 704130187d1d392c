// Off-policy estimates of policies whose worth is known: right on average, and covered by their intervals.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "policy_lists.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::PolicyList;

constexpr std::size_t ranks = 3;
constexpr std::size_t items = 4;
using Factored = std::array<std::array<double, items>, ranks>;  // by rank, how likely each item is

constexpr Factored logging{{{0.4, 0.3, 0.2, 0.1}, {0.25, 0.25, 0.25, 0.25}, {0.1, 0.2, 0.3, 0.4}}};
constexpr Factored judged{{{0.2, 0.4, 0.2, 0.2}, {0.1, 0.2, 0.3, 0.4}, {0.2, 0.2, 0.5, 0.1}}};
// How likely an item is clicked at a rank.
constexpr Factored clicked{{{0.6, 0.3, 0.2, 0.8}, {0.1, 0.5, 0.4, 0.2}, {0.3, 0.1, 0.2, 0.6}}};

using Slate = std::array<std::size_t, ranks>;
// Of a list, the chance of a click at each rank: each for itself, or less below a good item.
using Clicks = std::function<std::array<double, ranks>(const Slate&)>;

std::array<double, ranks> each_for_itself(const Slate& slate) {
  return {clicked[0][slate[0]], clicked[1][slate[1]], clicked[2][slate[2]]};
}
std::array<double, ranks> cascade(const Slate& slate) {
  std::array<double, ranks> chances = each_for_itself(slate);
  chances[1] *= slate[0] == 3 ? 0.1 : 1;
  chances[2] *= slate[0] == slate[1] ? 0.2 : 1;
  return chances;
}

double truth(const Clicks& clicks) {
  double worth = 0;
  for (Slate slate{}; slate[0] < items; ++slate[0]) {
    for (slate[1] = 0; slate[1] < items; ++slate[1]) {
      for (slate[2] = 0; slate[2] < items; ++slate[2]) {
        const double p = judged[0][slate[0]] * judged[1][slate[1]] * judged[2][slate[2]];
        for (const double chance : clicks(slate)) worth += p * chance;
      }
    }
  }
  return worth;
}

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::size_t item(const std::array<double, items>& likely) {
    double left = share();
    std::size_t item = 0;
    while (item + 1 < items && left >= likely[item]) left -= likely[item++];
    return item;
  }

 private:
  std::mt19937_64 engine_;
};

// `apart`: by how much the chances of the list's user differ from those of others.
PolicyList draw(Chance& chance, const Clicks& clicks, double apart = 0) {
  PolicyList list;
  Slate slate{};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    slate[rank] = chance.item(logging[rank]);
    list.target.push_back(judged[rank][slate[rank]]);
    list.logged.push_back(logging[rank][slate[rank]]);
  }
  for (const double p : clicks(slate)) list.rewards.push_back(chance.share() < p * (1 + apart) ? 1 : 0);
  return list;
}

struct Unbiased {
  Estimator estimator;
  Clicks clicks;
};
void PrintTo(const Unbiased& tested, std::ostream* out) {
  *out << to_string(tested.estimator);
}

class OffPolicyMean : public testing::TestWithParam<Unbiased> {};

TEST_P(OffPolicyMean, of_many_runs_is_the_truth) {
  const auto& [estimator, clicks] = GetParam();
  const MetricPlan plan = test::plan_of({.name = std::string(to_string(estimator))});
  const std::uint64_t runs = support::effort(10'000);
  constexpr std::size_t lists = 50;
  Chance chance(17);
  double sum = 0;
  double squares = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    PaneSums pane;
    for (std::size_t i = 0; i < lists; ++i) {
      PolicyList list = draw(chance, clicks);
      list.group = 5;  // one group needs no interval
      test::add(pane, plan, list);
    }
    RunningSums sums;
    sums.enter(pane);
    const double value = *sums.estimate(plan.metrics().front(), 0.95).value;
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(runs);
  const double error = std::sqrt((squares / n - (sum / n) * (sum / n)) / n);
  EXPECT_NEAR(sum / n, truth(clicks), 4 * error);
  EXPECT_LT(error, 0.1 * truth(clicks)) << "the test can tell nothing";
}

INSTANTIATE_TEST_SUITE_P(Each, OffPolicyMean,
                         testing::Values(Unbiased{Estimator::ips, each_for_itself}, Unbiased{Estimator::rips, cascade},
                                         Unbiased{Estimator::slate_ips, cascade},
                                         Unbiased{Estimator::pseudo_inverse, each_for_itself}));

class OffPolicyInterval : public testing::TestWithParam<Unbiased> {};

// Users with several lists each, some of whom click more than others.
TEST_P(OffPolicyInterval, of_95_percent_covers_the_truth_in_92_of_a_hundred_runs_or_more) {
  const auto& [estimator, clicks] = GetParam();
  const std::string name(to_string(estimator));
  const MetricPlan plan = test::plan_of({.name = name});
  const MetricPlan ess = test::plan_of({.name = "ess", .options = {.of = estimator}});
  const std::uint64_t runs = support::effort(400, 2000);
  Chance chance(29);
  std::uint64_t covered = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::vector<PolicyList> lists;
    for (std::size_t user = 0; user < 500; ++user) {
      const double apart = user % 2 == 0 ? 0.2 : -0.2;
      const std::size_t of_user = 1 + chance.item({0.25, 0.25, 0.25, 0.25}) * 2;
      for (std::size_t i = 0; i < of_user; ++i) {
        lists.push_back(draw(chance, clicks, apart));
        lists.back().user = std::to_string(run) + "/" + std::to_string(user);
        lists.back().group = user_group(user_key(lists.back().user).high);
      }
    }
    if (run == 0) {
      ASSERT_GE(*test::estimate(ess, lists).value, 500);
    }
    const Estimate is = test::estimate(plan, lists);
    ASSERT_TRUE(is.ci);
    covered += is.ci->first <= truth(clicks) && truth(clicks) <= is.ci->second ? 1U : 0U;
  }
  const double least = support::under_sanitizer ? 0.8 : 0.92;  // of few runs
  EXPECT_GE(static_cast<double>(covered) / static_cast<double>(runs), least);
  EXPECT_LE(static_cast<double>(covered) / static_cast<double>(runs), support::under_sanitizer ? 1 : 0.98) << "too wide";
}

INSTANTIATE_TEST_SUITE_P(Each, OffPolicyInterval,
                         testing::Values(Unbiased{Estimator::ips, each_for_itself},
                                         Unbiased{Estimator::snips, each_for_itself}, Unbiased{Estimator::rips, cascade},
                                         Unbiased{Estimator::pseudo_inverse, each_for_itself}));

}  // namespace
}  // namespace recmeter
