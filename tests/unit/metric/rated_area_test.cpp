// rated_auc by hand: [S5.42].
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "recmeter/metric/registry.h"
#include "support/dice.h"

namespace recmeter {
namespace {

using Pairs = std::vector<std::pair<double, double>>;  // score, rating

const MetricDefinition& rated_auc = *find_metric("rated_auc");

std::optional<double> value(const PooledForm& form, const std::vector<Pairs>& lists, const MetricOptions& options = {}) {
  std::vector<Int128> sums(form.columns, 0);
  for (const Pairs& pairs : lists) {
    std::vector<Rating> ratings;
    for (const auto& [score, rating] : pairs) {
      const auto rank = static_cast<std::uint32_t>(ratings.size() + 1);
      ratings.push_back({.rank = rank, .rating = rating, .has_prediction = true, .prediction = score});
    }
    ratings.push_back({.rank = 20, .rating = 5});  // shown without a score: no pair
    std::vector<std::int64_t> columns(form.columns, 0);
    form.add({.length = 20, .ratings = ratings, .credited = ratings.size()}, 0, options, columns);
    std::transform(sums.begin(), sums.end(), columns.begin(), sums.begin(), std::plus<>());
  }
  return form.value({.lists = lists.size(), .evidence = lists.size(), .columns = sums}, 0, options);
}
std::optional<double> over_pairs(const std::vector<Pairs>& lists, const MetricOptions& options = {}) {
  return value(*rated_auc.pooled, lists, options);
}
std::optional<double> over_lists(const std::vector<Pairs>& lists, const MetricOptions& options = {}) {
  return value(*rated_auc.mean_of_lists, lists, options);
}
std::optional<double> of_user(const std::vector<Pairs>& lists, const MetricOptions& options = {}) {
  return value(*rated_auc.of_user, lists, options);
}

// Liked are 4.5 and 3.5, not 4 and 3: one of four couples is wrong.
const Pairs four{{4.5, 5}, {4, 3}, {3.5, 4}, {3, 1}};
const Pairs tied{{2, 5}, {2, 1}, {2, 2}};
const Pairs none_liked{{4.5, 1}, {2, 2}};

TEST(RatedAuc, is_the_share_of_couples_in_which_the_liked_item_is_above_ties_half) {
  EXPECT_EQ(over_pairs({four}), 0.75);
  EXPECT_EQ(over_pairs({tied}), 0.5);
  EXPECT_EQ(over_pairs({four, none_liked}), 5.5 / 8);
  EXPECT_EQ(over_pairs({{{5, 5}, {1, 1}}}), 1);
  EXPECT_EQ(over_pairs({{{1, 5}, {5, 1}}}), 0);
}

TEST(RatedAuc, calls_liked_what_from_says_and_without_it_what_ratings_say) {
  EXPECT_EQ(over_pairs({four}, {.ratings = {.liked = 5}}), 1);
  EXPECT_EQ(over_pairs({four}, {.from = 5, .ratings = {.liked = 2}}), 1);
  EXPECT_EQ(over_pairs({four}, {.from = 3}), 1) << "3 itself is liked";
  EXPECT_EQ(over_lists({four, none_liked}, {.from = 2}), (1.0 + 0) / 2);
}

TEST(RatedAuc, is_nothing_without_both_kinds) {
  EXPECT_EQ(over_pairs({}), std::nullopt);
  EXPECT_EQ(over_pairs({none_liked}), std::nullopt);
  EXPECT_EQ(over_pairs({{{3, 5}, {4, 4}}}), std::nullopt);
  EXPECT_EQ(over_lists({none_liked}), std::nullopt);
  EXPECT_EQ(of_user({none_liked}), std::nullopt);
}

// Parts of the scale from 1 to 5 are 1/256 wide.
TEST(RatedAuc, over_pairs_ties_scores_of_one_part_and_sets_those_off_the_scale_to_its_ends) {
  EXPECT_EQ(over_pairs({{{3, 5}, {3 + 1.0 / 256, 1}}}), 0);
  EXPECT_EQ(over_pairs({{{3, 5}, {3 + 0.9 / 256, 1}}}), 0.5);
  EXPECT_EQ(over_lists({{{3, 5}, {3 + 0.9 / 256, 1}}}), 0) << "exactly";
  EXPECT_EQ(over_pairs({{{7, 5}, {8, 1}, {-3, 2}}}), 0.75) << "7, 8 and 5 are one";
  EXPECT_EQ(over_pairs({{{5, 5}, {5 - 0.5 / 256, 1}}}), 0.5) << "the last part has its end";
}

TEST(RatedAuc, over_lists_leaves_out_those_without_both_kinds) {
  EXPECT_EQ(over_lists({four, none_liked, tied}), (0.75 + 0.5) / 2);
}

TEST(RatedAuc, of_a_user_takes_the_couples_within_lists_together) {
  EXPECT_EQ(of_user({four, none_liked, tied}), (3.0 + 0 + 1) / (4 + 2));
  EXPECT_EQ(of_user({{{5, 5}, {1, 1}}, {{2, 5}}}), 1) << "2 is compared with nothing";
}

TEST(RatedAuc, of_scores_on_a_grid_is_the_same_in_bins_and_exactly) {
  support::Dice dice(31);
  for (int round = 0; round < 200; ++round) {
    Pairs pairs;
    for (std::size_t i = 0; i < 2 + dice.below(30); ++i) {
      pairs.emplace_back(1 + static_cast<double>(dice.below(1024)) / 256, static_cast<double>(dice.between(1, 5)));
    }
    const auto exact = of_user({pairs});
    ASSERT_EQ(over_pairs({pairs}), exact);
    ASSERT_EQ(exact.has_value(), over_lists({pairs}).has_value());
    if (exact) {
      ASSERT_NEAR(*over_lists({pairs}), *exact, 0x1p-32);
    }
  }
}

}  // namespace
}  // namespace recmeter
