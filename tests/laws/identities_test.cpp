// What metrics owe each other, whatever the list; and what chance is worth to each: every placement of the relevant items,
// counted out.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <string>

#include "laws/sample_lists.h"
#include "recmeter/metric/registry.h"
#include "support/effort.h"

namespace recmeter::laws {
namespace {

using support::Dice;

const MetricOptions of_2000{.catalog_size = 2000};

double value(std::string_view name, const ScoredList& list, std::uint32_t k, const MetricOptions& options = of_2000) {
  return find_metric(name)->evaluate(list, k, options);
}

// Lists with relevant and irrelevant items, and some others.
void for_each_list(const auto& visit) {
  Dice dice(21);
  for (const SampleList& sample : random_samples(dice, support::effort(3000))) {
    for (const std::uint32_t k : {1U, 3U, 10U, 2000U}) visit(sample.list(), k);
  }
}

TEST(KendallBoolean, is_twice_lauc_less_one) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    if (list.relevant_of_user() == 0) return;
    ASSERT_NEAR(value("kendall_boolean", list, k), 2 * value("lauc", list, k) - 1, 1e-12);
  });
}

TEST(RankingLoss, is_one_less_auc) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    if (list.relevant_of_user() == 0) return;
    ASSERT_NEAR(value("ranking_loss", list, k), 1 - value("auc", list, k), 1e-12);
  });
}

TEST(RPrecision, is_precision_recall_and_f_of_the_first_r_ranks) {
  for_each_list([](const ScoredList& list, std::uint32_t) {
    const auto r = static_cast<std::uint32_t>(list.relevant_of_user());
    if (r == 0) return;
    const double precision = value("precision", list, r);
    for (const char* name : {"recall", "f1", "fbeta"}) ASSERT_NEAR(value(name, list, r), precision, 1e-12) << name;
    ASSERT_NEAR(value("map_user", list, r), value("map_user", list, r, {.ap_denominator = ApDenominator::k}), 1e-12);
  });
}

// nDCG is DCG over that of the best order, whatever the discount; and none counts gains alone.
TEST(Discounts, of_a_list_whose_order_is_the_best_make_its_ndcg_one) {
  Dice dice(22);
  for (SampleList sample : random_samples(dice, support::effort(1000))) {
    if (sample.hits.empty()) continue;
    sample.make_ideal();
    for (const Discount kind : {Discount::log2, Discount::log2_max2, Discount::rank, Discount::none}) {
      ASSERT_NEAR(value("ndcg_list", sample.list(), 2000, {.discount = kind}), 1, 1e-12);
    }
  }
}

TEST(Discounts, fall_the_faster_the_later_a_hit_counts_the_less) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    const auto reached = [&](Discount kind) {
      std::vector<std::int64_t> columns(6, 0);
      find_metric("dcg")->pooled->add(list, k, {.discount = kind}, columns);
      return static_cast<double>(columns[0]) + 0x1p32 * static_cast<double>(columns[1]);
    };
    ASSERT_LE(reached(Discount::rank), reached(Discount::log2));
    ASSERT_LE(reached(Discount::log2), reached(Discount::log2_max2));
    ASSERT_LE(reached(Discount::log2_max2), reached(Discount::none));
  });
}

TEST(Ap11, is_the_mean_of_its_eleven_levels) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    double sum = 0;
    double last = 1;
    for (std::uint32_t level = 0; level <= 1000; level += 100) {
      const double at = value("ap_11", list, k, {.level = level});
      ASSERT_LE(at, last) << "interpolated precision never rises with recall";
      last = at;
      sum += at;
    }
    ASSERT_NEAR(value("ap_11", list, k), sum / 11, 1e-12);
  });
}

TEST(UniverseOfList, is_a_list_without_missed_items_and_a_catalogue_of_its_own) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    const ScoredList alone = list.alone();
    ASSERT_EQ(alone.relevant_of_user(), list.relevant_in_list());
    ASSERT_GE(value("recall", alone, k, {}), value("recall", list, k));
    const std::uint32_t items = list.distinct_at(list.length);
    if (alone.relevant_of_user() == 0 || alone.relevant_of_user() == items) return;
    ASSERT_NEAR(value("lauc", alone, k, {}), value("lauc", alone, k, {.catalog_size = items}), 1e-12);
  });
}

TEST(Mcc, squared_is_informedness_times_markedness) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    const double mcc = value("mcc", list, k);
    ASSERT_NEAR(mcc * mcc, value("informedness", list, k) * value("markedness", list, k), 1e-12);
    ASSERT_GE(mcc * value("informedness", list, k), 0);
  });
}

TEST(Informedness, is_recall_and_inverse_recall_less_one) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    if (list.relevant_of_user() == 0) return;
    ASSERT_NEAR(value("informedness", list, k), value("recall", list, k) + value("inverse_recall", list, k) - 1, 1e-12);
  });
}

TEST(Markedness, is_precision_of_the_shown_and_inverse_precision_less_one) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    if (list.distinct_at(k) == 0) return;
    const double precision = static_cast<double>(list.hits_at(k)) / list.distinct_at(k);
    ASSERT_NEAR(value("markedness", list, k), precision + value("inverse_precision", list, k) - 1, 1e-12);
  });
}

TEST(InverseRecall, is_what_fallout_leaves) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    ASSERT_NEAR(value("inverse_recall", list, k), 1 - value("fallout", list, k), 1e-12);
  });
}

TEST(MissRate, is_what_recall_leaves) {
  for_each_list([](const ScoredList& list, std::uint32_t k) {
    if (list.relevant_of_user() == 0) return;
    ASSERT_NEAR(value("miss_rate", list, k), 1 - value("recall", list, k), 1e-12);
  });
}

TEST(Auc, is_lauc_at_the_length_of_the_list) {
  for_each_list([](const ScoredList& list, std::uint32_t) {
    ASSERT_EQ(value("auc", list, 0), value("lauc", list, list.length));
    ASSERT_EQ(value("auc", list, 0), value("lauc", list, list.length + 7));
  });
}

TEST(Lauc, is_one_when_all_relevant_items_are_first_and_fit_and_less_when_they_do_not_fit) {
  Dice dice(22);
  for (SampleList sample : random_samples(dice, support::effort(1000))) {
    if (sample.hits.empty()) continue;
    sample.missed.clear();
    sample.make_ideal();
    const auto relevant = static_cast<std::uint32_t>(sample.hits.size());
    EXPECT_EQ(value("lauc", sample.list(), relevant), 1);
    if (relevant > 1) {
      EXPECT_LT(value("lauc", sample.list(), relevant - 1), 1);
    }
  }
}

// Of a universe of 8 items of which `relevant` are so, every placement equally often: ranks 1..8, of which the first `shown`
// are the list and the relevant ones beyond it are missed.
double expectation(std::string_view name, std::uint32_t relevant, std::uint32_t shown, std::uint32_t k) {
  constexpr std::uint32_t universe = 8;
  double sum = 0;
  std::uint32_t placements = 0;
  for (std::uint32_t placement = 0; placement < 1U << universe; ++placement) {
    if (std::popcount(placement) != static_cast<int>(relevant)) continue;
    SampleList sample;
    sample.length = shown;
    for (std::uint32_t i = 0; i <= shown; ++i) sample.distinct.push_back(i);
    for (std::uint32_t i = 0; i < shown; ++i) {
      if ((placement >> i & 1U) != 0) sample.hits.push_back({i + 1, 1});
    }
    if (const std::uint64_t missed = relevant - sample.hits.size(); missed > 0) sample.missed.push_back({1, missed});
    sum += value(name, sample.list(), k, {.catalog_size = universe});
    ++placements;
  }
  return sum / placements;
}

TEST(ARandomList, is_worth_nothing_to_what_takes_chance_away_whatever_the_share_of_relevant_items) {
  for (const char* name : {"informedness", "markedness", "mcc", "kendall_boolean"}) {
    for (std::uint32_t relevant = 1; relevant <= 7; ++relevant) {
      for (std::uint32_t shown = 1; shown <= 7; ++shown) {
        for (std::uint32_t k = 1; k <= shown; ++k) {
          ASSERT_NEAR(expectation(name, relevant, shown, k), 0, 1e-12) << name << " " << relevant << " " << shown << " " << k;
        }
      }
    }
  }
}

TEST(ARandomList, has_an_area_of_one_half) {
  for (std::uint32_t relevant = 1; relevant <= 7; ++relevant) {
    ASSERT_NEAR(expectation("lauc", relevant, 5, 3), 0.5, 1e-12);
    ASSERT_NEAR(expectation("auc", relevant, 5, 0), 0.5, 1e-12);
  }
}

// Schröder et al. 2011, figure 3.
TEST(ARandomList, looks_better_to_precision_and_f1_the_more_items_are_relevant_and_to_recall_the_more_are_shown) {
  for (std::uint32_t relevant = 1; relevant <= 7; ++relevant) {
    EXPECT_NEAR(expectation("precision", relevant, 4, 4), relevant / 8.0, 1e-12);
    EXPECT_NEAR(expectation("recall", relevant, 4, 4), 0.5, 1e-12);
    if (relevant > 1) {
      EXPECT_GT(expectation("f1", relevant, 4, 4), expectation("f1", relevant - 1, 4, 4));
    }
  }
  for (std::uint32_t k = 1; k <= 7; ++k) EXPECT_NEAR(expectation("recall", 3, 7, k), k / 8.0, 1e-12);
}

}  // namespace
}  // namespace recmeter::laws
