// Metrics of ratings by hand, by identities, over all small cases, and against the plain formulas: [S5], "Ratings".
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "recmeter/metric/registry.h"
#include "support/dice.h"

namespace recmeter {
namespace {

using support::Dice;

struct RatedList {
  std::vector<Rating> ratings = {};
  std::vector<Hit> hits = {};
  std::vector<std::uint32_t> judged = {};
  std::uint64_t credited = 0;
  std::uint64_t with_score = 0;
  std::vector<Retest> retests = {};

  [[nodiscard]] ScoredList view() const {
    ScoredList list;
    list.length = 20;
    list.ratings = ratings;
    list.hits = hits;
    list.judged = judged;
    list.credited = credited;
    list.credited_with_score = with_score;
    list.retests = retests;
    return list;
  }
};

// Ranks 1, 2, ... with these predictions and ratings.
RatedList rated(const std::vector<std::pair<double, double>>& pairs) {
  RatedList list;
  std::uint32_t rank = 0;
  for (const auto& [prediction, rating] : pairs) {
    list.ratings.push_back({.rank = ++rank, .rating = rating, .has_prediction = true, .prediction = prediction});
  }
  return list;
}

// Of all lists together.
std::optional<double> together(std::string_view name, const std::vector<RatedList>& lists, const MetricOptions& options = {},
                               std::uint32_t k = 0) {
  const MetricDefinition& metric = *find_metric(name);
  std::vector<Int128> sums(metric.pooled->columns, 0);
  std::uint64_t evidence = 0;
  for (const RatedList& list : lists) {
    std::vector<std::int64_t> columns(metric.pooled->columns, 0);
    metric.pooled->add(list.view(), k, options, columns);
    std::transform(sums.begin(), sums.end(), columns.begin(), sums.begin(), std::plus<>());
    evidence += metric.has_evidence(list.view(), k, options) ? 1U : 0U;
  }
  const ColumnSums total{.lists = lists.size(), .evidence = evidence, .columns = sums};
  const auto value = metric.pooled->value(total, k, options);
  if (value) {
    EXPECT_GT(metric.pooled->weight(total), 0U) << name;
    EXPECT_GE(*value, metric.pooled->low) << name;
    EXPECT_LE(*value, metric.pooled->high) << name;
  }
  return value;
}

// Of one list; nothing where it is left out.
std::optional<double> of_list(std::string_view name, const RatedList& list) {
  const MetricDefinition& metric = *find_metric(name);
  if (!metric.has_evidence(list.view(), 0, {})) return std::nullopt;
  const double value = metric.evaluate(list.view(), 0, {});
  EXPECT_GE(value, metric.low) << name;
  EXPECT_LE(value, metric.high) << name;
  return value;
}

const RatedList four = rated({{4.5, 5}, {4, 3}, {3.5, 4}, {3, 1}});

TEST(PredictionError, by_hand) {
  EXPECT_EQ(together("mae", {four}), 1);
  EXPECT_EQ(together("nmae", {four}), 0.25);
  EXPECT_EQ(together("mse", {four}), 1.375);
  EXPECT_DOUBLE_EQ(*together("rmse", {four}), std::sqrt(1.375));
  EXPECT_EQ(together("mae_extremes", {four}), 1.25) << "ratings 5 and 1";
  EXPECT_EQ(together("reversals", {four}), 0);
  EXPECT_EQ(together("mae", {four, rated({{4.5, 1}, {2, 2}})}), 7.5 / 6) << "over pairs, not over lists";
  EXPECT_DOUBLE_EQ(*together("reversals", {four, rated({{4.5, 1}, {2, 2}})}), 1.0 / 6);
}

TEST(PredictionError, is_nothing_without_pairs) {
  const RatedList without_scores{.ratings = {{.rank = 1, .rating = 5}}};
  for (const char* name : {"mae", "nmae", "mse", "rmse", "mae_extremes", "reversals", "pearson"}) {
    EXPECT_EQ(together(name, {}), std::nullopt) << name;
    EXPECT_EQ(together(name, {without_scores}), std::nullopt) << name;
    EXPECT_FALSE(find_metric(name)->has_evidence(without_scores.view(), 0, {})) << name;
  }
  EXPECT_EQ(together("mae_extremes", {rated({{1, 2}, {1, 4}})}), std::nullopt) << "the bounds are not extreme themselves";
}

TEST(RetestError, is_that_of_repeated_ratings_to_the_first) {
  const RatedList again{.ratings = {{.rank = 1, .rating = 5}, {.rank = 3, .rating = 1}},
                        .retests = {{1, 5, 4}, {1, 5, 5}, {3, 1, 3.5}}};
  EXPECT_DOUBLE_EQ(*together("retest_mae", {again}), 3.5 / 3);
  EXPECT_DOUBLE_EQ(*together("retest_rmse", {again}), std::sqrt(7.25 / 3));
  EXPECT_DOUBLE_EQ(*together("retest_mae", {again, {.retests = {{2, 1, 2}}}, four}), 4.5 / 4) << "over retests, not lists";
}

TEST(RetestError, is_nothing_where_nothing_was_rated_again) {
  for (const char* name : {"retest_mae", "retest_rmse"}) {
    EXPECT_EQ(together(name, {four}), std::nullopt) << name;
    EXPECT_FALSE(find_metric(name)->has_evidence(four.view(), 0, {})) << name;
  }
}

TEST(RetestError, is_exact_at_the_ends_of_what_may_be) {
  const RatedList far{.retests = {{1, 1e8, -1e8}, {2, -1e8, 1e8}, {3, 1e8, 1e8}}};
  EXPECT_EQ(together("retest_mae", {far}), 4e8 / 3);
  EXPECT_DOUBLE_EQ(*together("retest_rmse", {far}), std::sqrt(8e16 / 3));
}

TEST(PredictionError, reaches_a_reversal_in_decimals_too) {
  EXPECT_EQ(together("reversals", {rated({{4.1, 1.1}})}), 1) << "though 4.1 - 1.1 is less than 3 in doubles";
  EXPECT_EQ(together("reversals", {rated({{1.1, 4.1}, {3.9, 1}})}), 0.5);
}

TEST(PredictionError, is_exact_at_the_ends_of_what_may_be) {
  const RatedList far = rated({{1e8, -1e8}, {-1e8, 1e8}, {1e8, 1e8}});
  EXPECT_EQ(together("mae", {far}), 4e8 / 3);
  EXPECT_EQ(together("mse", {far}), 8e16 / 3);
  const std::vector<RatedList> many(1000, far);
  EXPECT_EQ(together("mse", many), 8e16 / 3);
  EXPECT_DOUBLE_EQ(*together("pearson", many), -0.5);
}

TEST(PredictionError, has_its_identities) {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<RatedList> lists;
    for (std::size_t i = 0; i < 1 + dice.below(5); ++i) {
      std::vector<std::pair<double, double>> pairs;
      for (std::size_t n = 1 + dice.below(6); n > 0; --n) {
        pairs.emplace_back(static_cast<double>(dice.between(0, 500)) / 100, static_cast<double>(dice.between(1, 5)));
      }
      lists.push_back(rated(pairs));
    }
    MetricOptions options;
    options.ratings.min = 0.5;
    const double mse = *together("mse", lists);
    const double mae = *together("mae", lists);
    const double rmse = *together("rmse", lists);
    ASSERT_NEAR(rmse * rmse, mse, 1e-14 * mse);
    ASSERT_DOUBLE_EQ(*together("nmae", lists, options), mae / 4.5);
    ASSERT_LE(mae, rmse * (1 + 1e-15));
  }
}

// The same in long doubles, with numbers of every size.
TEST(PredictionError, is_the_plain_formula) {
  Dice dice(4);
  for (int round = 0; round < 300; ++round) {
    const auto number = [&] {
      return static_cast<double>(dice.between(-1'000'000, 1'000'000)) / (round % 2 == 0 ? 1 : 4096);
    };
    RatedList list;
    const std::size_t n = 2 + dice.below(20);
    for (std::uint32_t rank = 1; rank <= n; ++rank) list.ratings.push_back({rank, number(), true, number()});
    long double squares = 0, p = 0, r = 0, pp = 0, rr = 0, pr = 0;
    for (const Rating& rating : list.ratings) {
      squares += std::pow(rating.prediction - static_cast<long double>(rating.rating), 2);
      p += rating.prediction / static_cast<long double>(n);
      r += rating.rating / static_cast<long double>(n);
    }
    for (const Rating& rating : list.ratings) {
      pp += (rating.prediction - p) * (rating.prediction - p);
      rr += (rating.rating - r) * (rating.rating - r);
      pr += (rating.prediction - p) * (rating.rating - r);
    }
    ASSERT_DOUBLE_EQ(*together("mse", {list}), static_cast<double>(squares / static_cast<long double>(n)));
    ASSERT_NEAR(*together("pearson", {list}), static_cast<double>(pr / std::sqrt(pp * rr)), 1e-13);
  }
}

TEST(Pearson, by_hand) {
  EXPECT_DOUBLE_EQ(*together("pearson", {four}), 2.75 / std::sqrt(1.25 * 8.75));
  EXPECT_EQ(together("pearson", {rated({{1, 3}, {2, 5}}), rated({{4, 9}})}), 1) << "on one line";
  EXPECT_EQ(together("pearson", {rated({{0.1, -0.1}, {0.2, -0.2}})}), -1);
}

TEST(Pearson, is_nothing_below_two_pairs_or_without_variance) {
  EXPECT_EQ(together("pearson", {rated({{1, 3}})}), std::nullopt);
  EXPECT_EQ(together("pearson", {rated({{1, 3}, {1, 4}})}), std::nullopt);
  EXPECT_EQ(together("pearson", {rated({{1, 3}, {2, 3}})}), std::nullopt);
  EXPECT_EQ(together("pearson", {rated({{1e8, 1}, {1e8, 2}, {1e8, 3}})}), std::nullopt) << "large, and all the same";
}

TEST(RankCorrelation, by_hand) {
  EXPECT_DOUBLE_EQ(*of_list("spearman", four), 0.8);
  EXPECT_DOUBLE_EQ(*of_list("kendall_tau_b", four), 4.0 / 6);
  EXPECT_DOUBLE_EQ(*of_list("ndpm", four), 2.0 / 12);
  // Scores 3 3 1, ratings 2 1 1: one pair in order, one tied in score, one in rating; ranks 1.5 1.5 3 and 1 2.5 2.5.
  const RatedList tied = rated({{3, 2}, {3, 1}, {1, 1}});
  EXPECT_DOUBLE_EQ(*of_list("kendall_tau_b", tied), 1.0 / 2);
  EXPECT_DOUBLE_EQ(*of_list("spearman", tied), 0.75 / 1.5);
  EXPECT_DOUBLE_EQ(*of_list("ndpm", tied), 1.0 / 4);
}

TEST(RankCorrelation, leaves_out_lists_that_say_nothing) {
  RatedList one_score = rated({{1, 2}, {2, 3}});
  one_score.ratings[1].has_prediction = false;
  for (const char* name : {"spearman", "kendall_tau_b", "ndpm"}) {
    EXPECT_EQ(of_list(name, rated({})), std::nullopt) << name;
    EXPECT_EQ(of_list(name, rated({{1, 2}})), std::nullopt) << name;
    EXPECT_EQ(of_list(name, one_score), std::nullopt) << name;
    EXPECT_EQ(of_list(name, rated({{1, 2}, {3, 2}})), std::nullopt) << name << ": one rating";
  }
  EXPECT_EQ(of_list("spearman", rated({{1, 2}, {1, 3}})), std::nullopt) << "one score";
  EXPECT_EQ(of_list("kendall_tau_b", rated({{1, 2}, {1, 3}})), std::nullopt);
  EXPECT_EQ(of_list("ndpm", rated({{1, 2}, {1, 3}})), 0.5) << "undecided";
}

// Every order of up to five items without ties: 1 - 6 sum d^2 / (n (n^2 - 1)), and inversions.
TEST(RankCorrelation, of_every_permutation) {
  for (int n = 2; n <= 5; ++n) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<std::pair<double, double>> pairs;
      int squares = 0, inversions = 0;
      for (int i = 0; i < n; ++i) {
        const int other = order[static_cast<std::size_t>(i)];
        pairs.emplace_back(10 - i, 100 - other);
        squares += (i - other) * (i - other);
        for (int j = 0; j < i; ++j) inversions += order[static_cast<std::size_t>(j)] > other ? 1 : 0;
      }
      const double couples = n * (n - 1) / 2.0;
      const RatedList list = rated(pairs);
      ASSERT_NEAR(*of_list("spearman", list), 1 - 6.0 * squares / (n * (n * n - 1)), 1e-14);
      ASSERT_NEAR(*of_list("kendall_tau_b", list), 1 - 2 * inversions / couples, 1e-14);
      ASSERT_NEAR(*of_list("ndpm", list), inversions / couples, 1e-14);
      if (inversions == 0) {
        ASSERT_EQ(of_list("spearman", list), 1);
        ASSERT_EQ(of_list("kendall_tau_b", list), 1);
      }
      if (inversions == n * (n - 1) / 2) {
        ASSERT_EQ(of_list("spearman", list), -1);
        ASSERT_EQ(of_list("kendall_tau_b", list), -1);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// Every three or four items with scores and ratings of 1 to 3, ties and all: sizes of the textbook's tau-b, and what turning
// the scores round does.
TEST(RankCorrelation, with_every_kind_of_tie) {
  for (const std::size_t n : {3U, 4U}) {
    const auto all = static_cast<int>(std::lround(std::pow(9, n)));
    for (int code = 0; code < all; ++code) {
      std::vector<std::pair<double, double>> pairs, turned;
      for (std::size_t i = 0, rest = static_cast<std::size_t>(code); i < n; ++i, rest /= 9) {
        pairs.emplace_back(1 + rest % 3, 1 + rest / 3 % 3);
        turned.emplace_back(-pairs.back().first, pairs.back().second);
      }
      double signs = 0, untied_p = 0, untied_r = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double by_p = pairs[i].first - pairs[j].first;
          const double by_r = pairs[i].second - pairs[j].second;
          signs += by_p * by_r > 0 ? 1 : by_p * by_r < 0 ? -1 : 0;
          untied_p += by_p != 0 ? 1 : 0;
          untied_r += by_r != 0 ? 1 : 0;
        }
      }
      const auto tau = of_list("kendall_tau_b", rated(pairs));
      const auto rho = of_list("spearman", rated(pairs));
      ASSERT_EQ(tau.has_value(), untied_p > 0 && untied_r > 0);
      ASSERT_EQ(rho.has_value(), tau.has_value());
      ASSERT_EQ(of_list("ndpm", rated(pairs)).has_value(), untied_r > 0);
      if (untied_r > 0) {
        ASSERT_NEAR(*of_list("ndpm", rated(pairs)) + *of_list("ndpm", rated(turned)), 1, 1e-14);
      }
      if (!tau) continue;
      ASSERT_NEAR(*tau, signs / std::sqrt(untied_p * untied_r), 1e-14);
      ASSERT_EQ(*of_list("kendall_tau_b", rated(turned)), -*tau);
      ASSERT_EQ(*of_list("spearman", rated(turned)), -*rho);
    }
  }
}

TEST(HalfLifeUtility, by_hand) {
  // d = 3, half-life 5: 5 at rank 1, 4 at rank 3.
  const double ideal = 2 + std::exp2(-0.25);
  EXPECT_NEAR(*together("half_life_utility", {four}), 100 * (2 + std::exp2(-0.5)) / ideal, 1e-7);
  MetricOptions options;
  options.ratings.half_life = 2;
  options.ratings.default_vote = 0;
  EXPECT_DOUBLE_EQ(*together("half_life_utility", {rated({{0, 1}, {0, 2}})}, options), 100 * (1 + 1) / (2 + 0.5));
}

TEST(HalfLifeUtility, needs_no_scores_and_is_nothing_where_nothing_is_liked) {
  RatedList unscored = four;
  for (Rating& rating : unscored.ratings) rating.has_prediction = false;
  EXPECT_EQ(together("half_life_utility", {unscored}), together("half_life_utility", {four}));
  EXPECT_EQ(together("half_life_utility", {rated({{1, 3}, {1, 1}})}), std::nullopt);
  EXPECT_EQ(together("half_life_utility", {rated({{1, 3}, {1, 1}}), rated({{1, 5}})}), 100) << "adds nothing to the others";
}

TEST(HalfLifeUtility, is_100_in_the_best_order_and_a_better_order_is_never_worse) {
  Dice dice(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t n = 1 + dice.below(6); n > 0; --n) pairs.emplace_back(0, static_cast<double>(dice.between(1, 5)));
    pairs.emplace_back(0, 5);
    auto best = pairs;
    std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    ASSERT_EQ(together("half_life_utility", {rated(best)}), 100);
    const std::size_t at = dice.below(pairs.size() - 1);
    const double before = *together("half_life_utility", {rated(pairs)});
    if (pairs[at].second < pairs[at + 1].second) std::swap(pairs[at], pairs[at + 1]);
    ASSERT_GE(*together("half_life_utility", {rated(pairs)}), before);
  }
}

TEST(HalfLifeUtility, is_a_ratio_of_sums_and_not_a_mean_of_ratios) {
  MetricOptions options;
  options.ratings.half_life = 2;
  const RatedList first = rated({{0, 1}, {0, 5}});  // 1 of 2
  const RatedList second = rated({{0, 4}});         // 1 of 1
  EXPECT_DOUBLE_EQ(*together("half_life_utility", {first, second}, options), 100 * (1.0 + 1) / (2 + 1));
}

TEST(ErrorRate, judges_what_was_shown_within_k) {
  const RatedList list{.ratings = {{.rank = 1, .rating = 3.5}, {.rank = 4, .rating = 4}},
                       .hits = {{1, 1}, {2, 1}},
                       .judged = {1, 2, 3, 4},
                       .credited = 5};
  EXPECT_EQ(together("error_rate", {list}, {}, 1), 1) << "rated below 4, though relevant";
  EXPECT_EQ(together("error_rate", {list}, {}, 2), 0.5) << "clicked, not rated";
  EXPECT_EQ(together("error_rate", {list}, {}, 3), 2.0 / 3) << "judged by an action of gain 0";
  EXPECT_EQ(together("error_rate", {list}, {}, 10), 0.5) << "rated 4 is liked, though of gain 0";
  MetricOptions strict;
  strict.ratings.liked = 5;
  EXPECT_EQ(together("error_rate", {list}, strict, 10), 0.75);
  const RatedList below{.hits = {{7, 1}}, .judged = {7}, .credited = 1};
  EXPECT_EQ(together("error_rate", {below}, {}, 6), std::nullopt);
  EXPECT_FALSE(find_metric("error_rate")->has_evidence(below.view(), 6, {}));
  EXPECT_EQ(together("error_rate", {below}, {}, 7), 0);
}

TEST(PredictionCoverage, is_the_share_of_credits_with_a_score) {
  EXPECT_EQ(together("prediction_coverage", {{.credited = 3, .with_score = 2}, {.credited = 1}}), 0.5);
  EXPECT_EQ(together("prediction_coverage", {{}}), std::nullopt);
}

// Every worked example of these metrics has the value it says.
TEST(MetricsOfRatings, compute_their_worked_examples) {
  std::size_t computed = 0;
  for (const MetricDefinition* metric : all_metrics()) {
    if (!metric->needs.has(ListPart::feedback)) continue;
    EXPECT_FALSE(metric->examples.empty()) << metric->name;
    for (const WorkedExample& example : metric->examples) {
      std::vector<const ScoredList*> lists;
      for (const ExampleList& list : example_lists()) {
        if (example.lists.find(list.name) != std::string_view::npos) lists.push_back(&list.scored);
      }
      ASSERT_EQ(lists.size(), example.lists.size());
      double value = 0;
      const PooledForm* form = example.options.unit == Unit::list ? metric->mean_of_lists : metric->pooled;
      if (form != nullptr) {
        std::vector<std::int64_t> columns(form->columns, 0);
        for (const ScoredList* list : lists) form->add(*list, example.cutoff, example.options, columns);
        const std::vector<Int128> wide(columns.begin(), columns.end());
        value = form->value({lists.size(), lists.size(), wide}, example.cutoff, example.options).value();
      } else {
        for (const ScoredList* list : lists) value += metric->evaluate(*list, example.cutoff, example.options);
        value /= static_cast<double>(lists.size());
      }
      EXPECT_NEAR(value, example.value, 5.1e-5) << metric->name << " of " << example.lists;
      ++computed;
    }
  }
  EXPECT_GE(computed, 13U);
}

}  // namespace
}  // namespace recmeter
