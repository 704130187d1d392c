// Every per-list metric by hand: [S5].
#include <gtest/gtest.h>

#include <cmath>

#include "list_of.h"
#include "metric/discount.h"

namespace recmeter {
namespace {

using test::ListOf;
using test::value;

// Five ranks, relevant are 2, 3 and 5; the user acted on two more items.
const ListOf five{5, {{2, 1}, {3, 1}, {5, 1}}, {{1, 2}}};
// As many, graded.
const ListOf graded{5, {{2, 3}, {5, 1}}, {{2, 1}}};
const ListOf short_list{2, {{1, 1}, {2, 1}}, {}};
const ListOf empty{0, {}, {{1, 1}}};
const ListOf no_hits{5, {}, {}};

double log2_discount(double rank) {
  return 1 / std::log2(rank + 1);
}

MetricOptions with(ApDenominator denominator) {
  MetricOptions options;
  options.ap_denominator = denominator;
  return options;
}

MetricOptions with(GainKind gain) {
  MetricOptions options;
  options.gain = gain;
  return options;
}

TEST(Precision, divides_hits_by_k) {
  EXPECT_EQ(value("precision", five, 1), 0);
  EXPECT_EQ(value("precision", five, 2), 0.5);
  EXPECT_EQ(value("precision", five, 3), 2.0 / 3);
  EXPECT_EQ(value("precision", five, 5), 0.6);
}

TEST(Precision, divides_by_k_also_when_the_list_is_shorter) {
  EXPECT_EQ(value("precision", short_list, 10), 0.2);
  EXPECT_EQ(value("precision", empty, 10), 0);
}

TEST(HitRate, is_one_from_the_first_relevant_rank_on) {
  EXPECT_EQ(value("hit_rate", five, 1), 0);
  EXPECT_EQ(value("hit_rate", five, 2), 1);
  EXPECT_EQ(value("hit_rate", five, 100), 1);
  EXPECT_EQ(value("hit_rate", no_hits, 100), 0);
}

TEST(Mrr, is_the_reciprocal_of_the_first_relevant_rank_within_k) {
  EXPECT_EQ(value("mrr", five, 1), 0);
  EXPECT_EQ(value("mrr", five, 2), 0.5);
  EXPECT_EQ(value("mrr", five, 100), 0.5);
  EXPECT_EQ(value("mrr", no_hits, 5), 0);
}

// Precision at the relevant ranks 2, 3, 5: 1/2, 2/3, 3/5.
TEST(MapList, divides_by_the_smaller_of_relevant_and_k) {
  EXPECT_DOUBLE_EQ(value("map_list", five, 5), (1.0 / 2 + 2.0 / 3 + 3.0 / 5) / 3);
  EXPECT_DOUBLE_EQ(value("map_list", five, 3), (1.0 / 2 + 2.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(value("map_list", five, 2), (1.0 / 2) / 2);
  EXPECT_EQ(value("map_list", five, 1), 0);
}

TEST(MapList, takes_other_denominators_on_request) {
  const double sum = 1.0 / 2 + 2.0 / 3;  // at k = 3
  EXPECT_DOUBLE_EQ(value("map_list", five, 3, with(ApDenominator::relevant)), sum / 3);
  EXPECT_DOUBLE_EQ(value("map_list", five, 3, with(ApDenominator::k)), sum / 3);
  EXPECT_DOUBLE_EQ(value("map_list", five, 3, with(ApDenominator::hits)), sum / 2);
  EXPECT_DOUBLE_EQ(value("map_list", five, 2, with(ApDenominator::relevant)), 0.5 / 3);
  EXPECT_DOUBLE_EQ(value("map_list", five, 2, with(ApDenominator::k)), 0.5 / 2);
}

TEST(MapList, is_zero_without_hits_whatever_the_denominator) {
  for (const auto denominator : {ApDenominator::min, ApDenominator::relevant, ApDenominator::k, ApDenominator::hits}) {
    EXPECT_EQ(value("map_list", no_hits, 5, with(denominator)), 0);
    EXPECT_EQ(value("map_list", five, 1, with(denominator)), 0);
  }
}

TEST(MapUser, counts_missed_items_among_the_relevant) {
  const double sum = 1.0 / 2 + 2.0 / 3 + 3.0 / 5;
  EXPECT_DOUBLE_EQ(value("map_user", five, 10), sum / 5);
  EXPECT_DOUBLE_EQ(value("map_user", five, 4), (1.0 / 2 + 2.0 / 3) / 4);
  EXPECT_DOUBLE_EQ(value("map_user", five, 4, with(ApDenominator::relevant)), (1.0 / 2 + 2.0 / 3) / 5);
  EXPECT_EQ(value("map_user", empty, 4), 0);
}

TEST(NdcgList, is_one_for_the_best_order) {
  EXPECT_EQ(value("ndcg_list", short_list, 2), 1);
  EXPECT_EQ(value("ndcg_list", ListOf{3, {{1, 3}, {2, 2}, {3, 1}}, {}}, 3), 1);
}

TEST(NdcgList, weighs_ranks_by_the_logarithm) {
  const double reached = log2_discount(2) + log2_discount(3) + log2_discount(5);
  const double best = 1 + log2_discount(2) + log2_discount(3);
  EXPECT_DOUBLE_EQ(value("ndcg_list", five, 5), reached / best);
}

TEST(NdcgList, cuts_the_ideal_at_k_too) {
  EXPECT_DOUBLE_EQ(value("ndcg_list", five, 2), log2_discount(2) / (1 + log2_discount(2)));
}

TEST(NdcgList, takes_the_ideal_of_the_lists_grades_best_first) {
  const double reached = 3 * log2_discount(2) + 1 * log2_discount(5);
  const double best = 3 + log2_discount(2);
  EXPECT_DOUBLE_EQ(value("ndcg_list", graded, 5), reached / best);
}

TEST(NdcgList, raises_gains_to_powers_of_two_on_request) {
  const double reached = 7 * log2_discount(2) + 1 * log2_discount(5);
  const double best = 7 + log2_discount(2);
  EXPECT_DOUBLE_EQ(value("ndcg_list", graded, 5, with(GainKind::exp2)), reached / best);
}

TEST(NdcgUser, puts_missed_grades_where_the_ideal_order_has_them) {
  const double reached = 3 * log2_discount(2) + 1 * log2_discount(5);
  const double best = 3 + 2 * log2_discount(2) + 1 * log2_discount(3);  // 3, the missed 2, 1
  EXPECT_DOUBLE_EQ(value("ndcg_user", graded, 5), reached / best);
  EXPECT_DOUBLE_EQ(value("ndcg_user", graded, 2), 3 * log2_discount(2) / (3 + 2 * log2_discount(2)));
}

TEST(NdcgUser, does_not_cut_the_ideal_at_the_lists_length) {
  const ListOf list{1, {{1, 1}}, {{1, 2}}};
  EXPECT_DOUBLE_EQ(value("ndcg_user", list, 3), 1 / (1 + log2_discount(2) + log2_discount(3)));
}

TEST(NdcgUser, is_zero_for_lists_that_are_empty_or_without_hits) {
  EXPECT_EQ(value("ndcg_user", empty, 5), 0);
  EXPECT_EQ(value("ndcg_user", no_hits, 5), 0);
}

TEST(Recall, divides_hits_by_what_the_user_found_relevant) {
  EXPECT_EQ(value("recall", five, 2), 0.2);
  EXPECT_EQ(value("recall", five, 100), 0.6);
  EXPECT_EQ(value("recall", no_hits, 5), 0);
  EXPECT_EQ(value("recall", empty, 5), 0);
}

// With R_user = 5: recall 0.2 at rank 2, 0.4 at rank 3, 0.6 at rank 5.
TEST(Ap11, is_with_a_level_the_largest_precision_from_it_on) {
  const auto at = [](std::uint32_t level, std::uint32_t k) { return value("ap_11", five, k, {.level = level}); };
  EXPECT_EQ(at(0, 5), 2.0 / 3);
  EXPECT_EQ(at(200, 5), 2.0 / 3);
  EXPECT_EQ(at(400, 5), 2.0 / 3) << "reached by as many hits as it takes";
  EXPECT_EQ(at(401, 5), 3.0 / 5);
  EXPECT_EQ(at(600, 5), 3.0 / 5);
  EXPECT_EQ(at(600, 4), 0) << "beyond k";
  EXPECT_EQ(at(601, 5), 0);
  EXPECT_EQ(value("ap_11", no_hits, 5, {.level = 0}), 0);
}

TEST(Ap11, is_the_mean_over_eleven_levels) {
  double sum = 0;
  for (std::uint32_t level = 0; level <= 1000; level += 100) sum += value("ap_11", five, 5, {.level = level});
  EXPECT_DOUBLE_EQ(value("ap_11", five, 5), sum / 11);
}

TEST(F1, is_the_harmonic_mean_of_precision_and_recall) {
  const double p = 3.0 / 5;
  const double r = 3.0 / 5;
  EXPECT_DOUBLE_EQ(value("f1", five, 5), 2 * p * r / (p + r));
  EXPECT_DOUBLE_EQ(value("f1", short_list, 10), 2 * 0.2 * 1 / (0.2 + 1)) << "precision divides by k though n < k";
  EXPECT_EQ(value("f1", no_hits, 5), 0);
}

TEST(Fbeta, weighs_recall_beta_times_as_much) {
  MetricOptions options;
  options.beta = 0.5;
  const double p = 2.0 / 3;
  const double r = 2.0 / 5;
  EXPECT_DOUBLE_EQ(value("fbeta", five, 3, options), 1.25 * p * r / (0.25 * p + r));
  EXPECT_DOUBLE_EQ(value("fbeta", five, 3), 5 * p * r / (4 * p + r)) << "2 by default";
  options.beta = 1;
  EXPECT_EQ(value("fbeta", five, 3, options), value("f1", five, 3));
}

TEST(EmptyListShare, counts_lists_without_items) {
  EXPECT_EQ(value("empty_list_share", empty, 0), 1);
  EXPECT_EQ(value("empty_list_share", no_hits, 0), 0);
}

TEST(ShortListShare, counts_lists_with_fewer_than_k_ranks) {
  EXPECT_EQ(value("short_list_share", short_list, 2), 0);
  EXPECT_EQ(value("short_list_share", short_list, 3), 1);
  EXPECT_EQ(value("short_list_share", empty, 1), 1);
}

TEST(DistinctItems, is_the_number_of_items) {
  EXPECT_EQ(find_metric("distinct_items")->measure({.distinct = 17, .distinct_in_catalog = 3}, {}, 0.95).value, 17);
}

TEST(CatalogCoverage, is_the_share_of_the_catalogue_shown_and_at_most_one) {
  const auto measure = [](const ExposureFacts& facts) {
    return find_metric("catalog_coverage")->measure(facts, {}, 0.95).value;
  };
  EXPECT_EQ(measure({.distinct = 17, .distinct_in_catalog = 3, .catalog_size = 12}), 0.25);
  EXPECT_EQ(measure({.distinct = 17, .distinct_in_catalog = 17, .catalog_size = 12}), 1);
}

TEST(CatalogPredictionCoverage, is_the_same_of_what_was_shown_with_a_score) {
  const MetricDefinition& metric = *find_metric("catalog_prediction_coverage");
  EXPECT_EQ(metric.measure({.distinct = 17, .distinct_in_catalog = 3, .catalog_size = 12}, {}, 0.95).value, 0.25);
  EXPECT_EQ(metric.measure({.distinct = 17, .distinct_in_catalog = 17, .catalog_size = 12}, {}, 0.95).value, 1);
}

TEST(Gain, is_the_grade_or_a_power_of_two_less_one) {
  EXPECT_EQ(gain_of(2.5, GainKind::linear), 2.5);
  EXPECT_EQ(gain_of(3, GainKind::exp2), 7);
  EXPECT_EQ(gain_of(0, GainKind::exp2), 0);
}

// Every metric, on every list of up to 6 ranks and 3 missed items: within its range, and zero without hits where it says so.
TEST(EveryMetric, stays_in_its_range) {
  for (const MetricDefinition* metric : all_metrics()) {
    if (metric->evaluate == nullptr) continue;
    for (std::uint32_t n = 0; n <= 6; ++n) {
      for (std::uint32_t shown = 0; shown < 1U << n; ++shown) {
        for (std::uint64_t missing = 0; missing <= 3; ++missing) {
          ListOf list{n, {}, {}};
          for (std::uint32_t rank = 1; rank <= n; ++rank) {
            if ((shown >> (rank - 1) & 1) != 0) list.hits.push_back({rank, rank % 2 == 0 ? 2.0 : 1.0});
          }
          if (missing > 0) list.missed.push_back({1, missing});
          for (const std::uint32_t k : {1U, 3U, 9U}) {
            if (metric->has_evidence != nullptr && !metric->has_evidence(list.view(), metric->has_cutoff ? k : 0, {}))
              continue;
            const double v = metric->evaluate(list.view(), metric->has_cutoff ? k : 0, {});
            ASSERT_GE(v, metric->low) << metric->name;
            ASSERT_LE(v, metric->high) << metric->name;
            if (shown == 0 && metric->moved_by == MovedBy::hits) {
              ASSERT_EQ(v, 0) << metric->name;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace recmeter
