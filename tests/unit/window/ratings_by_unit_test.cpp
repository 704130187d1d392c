// Metrics of ratings over all pairs, and as means over lists and users, by hand: [S5.41].
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/metric/plan.h"
#include "recmeter/window/running_sums.h"

namespace recmeter {
namespace {

struct RatedList {
  std::string user;
  std::vector<std::pair<double, double>> pairs;  // score, rating
};

// Absolute errors: 1 3, 2 of ann, 0 of bob; cid was shown a list and rated nothing.
const std::vector<RatedList> lists{{"ann", {{2, 1}, {5, 2}}}, {"ann", {{6, 4}}}, {"bob", {{3, 3}}}, {"cid", {}}};

Estimate estimate(const std::string& name, std::optional<Unit> unit) {
  const auto plan = MetricPlan::make({.cutoffs = {1}, .requests = {{name, {}, {.unit = unit}}}});
  EXPECT_TRUE(plan) << plan.error().context;
  PaneSums pane;
  for (const RatedList& list : lists) {
    std::vector<Rating> ratings;
    for (const auto& [score, rating] : list.pairs) {
      const auto rank = static_cast<std::uint32_t>(ratings.size() + 1);
      ratings.push_back({.rank = rank, .rating = rating, .has_prediction = true, .prediction = score});
    }
    const ScoredList scored{.length = 5, .ratings = ratings, .credited = ratings.size()};
    const UserKey user = user_key(list.user);
    pane.add({.group = list.user == "ann" ? 1U : 2U, .user = user}, ListValues(*plan, scored), {}, true);
  }
  RunningSums sums;
  sums.enter(pane);
  return sums.estimate(plan->metrics().front(), 0.95);
}

TEST(RatingsByUnit, are_over_all_pairs_where_nothing_is_said) {
  EXPECT_EQ(estimate("mae", {}).value, 6.0 / 4);
  EXPECT_EQ(estimate("mae", Unit::pooled).value, 6.0 / 4);
  EXPECT_EQ(estimate("mae", {}).relevant_share, 0.75);
}

TEST(RatingsByUnit, are_means_over_lists_with_a_value) {
  EXPECT_EQ(estimate("mae", Unit::list).value, (2.0 + 2 + 0) / 3);
  EXPECT_EQ(estimate("mae", Unit::list).relevant_share, 0.75);
  EXPECT_NEAR(*estimate("rmse", Unit::list).value, (std::sqrt(5.0) + 2 + 0) / 3, 1e-9);
}

TEST(RatingsByUnit, are_means_over_users_of_the_value_over_all_their_pairs) {
  EXPECT_EQ(estimate("mae", Unit::user).value, (6.0 / 3 + 0) / 2);
  EXPECT_DOUBLE_EQ(*estimate("mae", Unit::user).relevant_share, 2.0 / 3);
  EXPECT_NEAR(*estimate("rmse", Unit::user).value, (std::sqrt(14.0 / 3) + 0) / 2, 1e-9);
  EXPECT_EQ(estimate("reversals", Unit::user).value, (std::round(0x1p32 / 3) / 0x1p32 + 0) / 2) << "one of ann's three";
}

// Of ann's first list alone, and of her three pairs; nobody else has two pairs.
TEST(RatingsByUnit, leave_out_whose_pairs_make_no_value) {
  EXPECT_EQ(estimate("pearson", Unit::list).value, 1);
  EXPECT_EQ(estimate("pearson", Unit::list).relevant_share, 0.25);
  EXPECT_NEAR(*estimate("pearson", Unit::user).value, 51 / std::sqrt(78.0 * 42), 1e-9);
  EXPECT_DOUBLE_EQ(*estimate("pearson", Unit::user).relevant_share, 1.0 / 3);
  EXPECT_EQ(estimate("error_rate", Unit::user).value, std::nullopt) << "no rank is judged";
}

TEST(RatingsByUnit, have_no_share_of_relevant_lists) {
  for (const Unit unit : {Unit::list, Unit::user, Unit::pooled}) {
    EXPECT_EQ(estimate("prediction_coverage", unit).given_relevant, std::nullopt);
  }
}

}  // namespace
}  // namespace recmeter
