#include "config/metric_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "recmeter/metric/registry.h"

namespace recmeter::config {
namespace {

using Names = std::vector<std::string>;

Names meant(std::string_view written) {
  return metrics_meant(written, names_of_metrics());
}

TEST(MetricNames, of_other_tools_are_told_in_ours) {
  EXPECT_EQ(meant("ctr"), (Names{"action_rate", "action_per_item"}));
  EXPECT_EQ(meant("CTR@10"), (Names{"action_rate", "action_per_item"}));
  EXPECT_EQ(meant("MeanAveragePrecision"), (Names{"map_list", "map_user"}));
  EXPECT_EQ(meant("mean average precision"), (Names{"map_list", "map_user"}));
  EXPECT_EQ(meant("revenue"), (Names{"income", "income_per_user"}));
  EXPECT_EQ(meant("personalization"), (Names{"personalisation"}));
}

TEST(MetricNames, that_are_a_part_of_ours_find_all_that_have_it) {
  EXPECT_EQ(meant("map"), (Names{"map_list", "map_user"}));
  EXPECT_EQ(meant("ndcg"), (Names{"ndcg_list", "ndcg_user"}));
  EXPECT_EQ(meant("diversity"), (Names{"intra_list_diversity"}));
  EXPECT_EQ(meant("coverage"), (Names{"catalog_coverage", "user_coverage", "prediction_coverage"}));
}

TEST(MetricNames, that_hold_one_of_ours_find_it) {
  EXPECT_EQ(meant("gini_index"), (Names{"gini"}));
  EXPECT_EQ(meant("roc_auc"), (Names{"auc"}));
  EXPECT_EQ(meant("f1-score"), (Names{"f1"}));
}

TEST(MetricNames, that_are_mistyped_find_the_nearest) {
  EXPECT_EQ(meant("precison"), (Names{"precision"}));
  EXPECT_EQ(meant("ndgc_list"), (Names{"ndcg_list"}));
  EXPECT_EQ(meant("HitRate"), (Names{"hit_rate"}));
  EXPECT_EQ(meant("ndgc"), (Names{"ndcg_list", "ndcg_user"})) << "a first word that is misspelt";
  EXPECT_EQ(meant("ndgc@5"), (Names{"ndcg_list", "ndcg_user"}));
}

TEST(MetricNames, with_a_cutoff_are_found_without_it) {
  EXPECT_EQ(meant("ndcg@10"), (Names{"ndcg_list", "ndcg_user"}));
  EXPECT_EQ(meant("precision_at_10"), (Names{"precision"}));
  EXPECT_EQ(meant("precison@5"), (Names{"precision"}));
}

TEST(MetricNames, that_are_near_none_find_none) {
  for (const std::string_view written : {"", "@", "@10", "_", "zzzzzzzzz", "\xff\xfe"})
    EXPECT_EQ(meant(written), Names{}) << written;
  EXPECT_EQ(meant(std::string(100'000, 'p')), Names{});
  EXPECT_EQ(metrics_meant("ctr", {}), Names{});
}

TEST(MetricNames, among_keys_of_values_keep_the_cutoff) {
  constexpr std::array<std::string_view, 6> keys{"precision@5",  "precision@10",   "ndcg_list@5",
                                                 "ndcg_list@10", "distinct_items", "action_rate{action=click}"};
  EXPECT_EQ(metrics_meant("precison@10", keys), (Names{"precision@10"}));
  EXPECT_EQ(metrics_meant("ndcg@10", keys), (Names{"ndcg_list@10"}));
  EXPECT_EQ(metrics_meant("ndcg@20", keys), (Names{"ndcg_list@5"}));
  EXPECT_EQ(metrics_meant("precision", keys), (Names{"precision@5"}));
  EXPECT_EQ(metrics_meant("ctr", keys), (Names{"action_rate{action=click}"}));
  EXPECT_EQ(metrics_meant("map", keys), Names{}) << "none that is not among the keys";
  EXPECT_EQ(metrics_meant("fbeta@5", std::array<std::string_view, 1>{"beta@5"}), Names{}) << "known, and not there";
}

TEST(MetricNames, are_asked_for_as_a_sentence) {
  EXPECT_EQ(metric_question("ctr", names_of_metrics()), "did you mean `action_rate` or `action_per_item`?");
  EXPECT_EQ(metric_question("zzzzzzzzz", names_of_metrics()), "");
}

TEST(MetricNames, say_the_unit_of_their_values) {
  EXPECT_EQ(unit_of_metric("time_to{action=click}"), "s");
  EXPECT_EQ(unit_of_metric("distinct_items@10"), "items");
  EXPECT_EQ(unit_of_metric("precision@10"), "");
  EXPECT_EQ(unit_of_metric("latency{p=0.5}"), "ms");
  EXPECT_EQ(unit_of_metric("latency{slower_than=500}"), "") << "a share";
  EXPECT_EQ(unit_of_metric("none"), "");
}

// Others' names of a metric say nothing where that metric is gone.
TEST(MetricNames, of_others_lead_to_metrics_that_exist) {
  for (const std::string_view name :
       {"cvr",          "gmv",         "arpu", "rr",   "dcg",           "hr",         "ppv", "tpr",
        "fnr",          "fpr",         "tnr",  "npv",  "f_score",       "matthews",   "ild", "surprise",
        "unique_items", "bestsellers", "iips", "wips", "doubly_robust", "abandonment"}) {
    const Names found = meant(name);
    EXPECT_FALSE(found.empty()) << name;
    for (const std::string& metric : found) EXPECT_NE(find_metric(metric), nullptr) << name;
  }
}

}  // namespace
}  // namespace recmeter::config
