#include "recmeter/metric/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "list_of.h"
#include "recmeter/base/exact_sum.h"

namespace recmeter {
namespace {

using test::ListOf;

MetricSpec spec_of(std::vector<std::string> names, std::vector<std::uint32_t> cutoffs = {1, 5}) {
  MetricSpec spec;
  spec.cutoffs = std::move(cutoffs);
  for (std::string& name : names) spec.requests.push_back({.name = std::move(name), .as = {}, .options = {}});
  return spec;
}

std::vector<std::string> keys(const MetricPlan& plan) {
  std::vector<std::string> out;
  for (const PlannedMetric& metric : plan.metrics()) out.push_back(metric.key);
  return out;
}

std::size_t kind(Evidence evidence) {
  return static_cast<std::size_t>(evidence) - 1;
}

TEST(MetricPlan, is_names_by_cutoffs_in_configured_order) {
  const auto plan = MetricPlan::make(spec_of({"recall", "precision"}, {5, 1}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(keys(*plan), (std::vector<std::string>{"recall@5", "recall@1", "precision@5", "precision@1"}));
}

TEST(MetricPlan, has_a_metric_without_cutoff_once) {
  const auto plan = MetricPlan::make(spec_of({"empty_list_share", "precision"}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(keys(*plan), (std::vector<std::string>{"empty_list_share", "precision@1", "precision@5"}));
}

TEST(MetricPlan, refuses_a_metric_it_does_not_know_by_its_name) {
  const auto plan = MetricPlan::make(spec_of({"precison"}));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::config_invalid);
  EXPECT_NE(plan.error().context.find("'precison'"), std::string::npos);
}

TEST(MetricPlan, refuses_two_metrics_of_one_key_and_names_it) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall", "precision"}));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::config_invalid);
  EXPECT_NE(plan.error().context.find("'precision@1'"), std::string::npos);
}

TEST(MetricPlan, lets_one_metric_stand_twice_under_two_names) {
  MetricSpec spec = spec_of({"ndcg_list", "ndcg_list"}, {5});
  spec.requests[1].as = "ndcg_exp";
  spec.requests[1].options.gain = GainKind::exp2;
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan);
  EXPECT_EQ(keys(*plan), (std::vector<std::string>{"ndcg_list@5", "ndcg_exp@5"}));
  EXPECT_NE(plan->metrics()[0].column, plan->metrics()[1].column);
}

TEST(MetricPlan, refuses_an_alias_that_is_another_metrics_key) {
  MetricSpec spec = spec_of({"precision", "recall"}, {5});
  spec.requests[1].as = "precision";
  EXPECT_FALSE(MetricPlan::make(spec));
}

TEST(MetricPlan, gives_every_mean_a_column_of_its_own_behind_the_evidence) {
  const auto plan = MetricPlan::make(spec_of({"precision", "distinct_items", "recall"}));
  ASSERT_TRUE(plan);
  std::vector<std::size_t> columns;
  for (const PlannedMetric& metric : plan->metrics()) {
    if (metric.definition->family != Family::exposure) columns.push_back(metric.column);
  }
  EXPECT_EQ(columns, (std::vector<std::size_t>{2, 3, 4, 5}));
  EXPECT_EQ(plan->columns(), 6U);
}

TEST(MetricPlan, sorts_the_cutoffs_of_exposure_and_points_into_them) {
  const auto plan = MetricPlan::make(spec_of({"distinct_items", "catalog_coverage"}, {10, 1, 5}));
  ASSERT_TRUE(plan);
  EXPECT_TRUE(std::ranges::equal(plan->exposure_cutoffs(), std::vector<std::uint32_t>{1, 5, 10}));
  for (const PlannedMetric& metric : plan->metrics()) EXPECT_EQ(plan->exposure_cutoffs()[metric.exposure], metric.cutoff);
}

TEST(MetricPlan, knows_what_its_metrics_need) {
  const auto little = MetricPlan::make(spec_of({"precision", "ndcg_list"}));
  EXPECT_FALSE(little->needs_missed());
  EXPECT_FALSE(little->needs_catalog());
  EXPECT_TRUE(MetricPlan::make(spec_of({"precision", "recall"}))->needs_missed());
  EXPECT_TRUE(MetricPlan::make(spec_of({"catalog_coverage"}))->needs_catalog());
}

TEST(MetricPlan, adds_values_and_evidence_to_the_columns) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall"}, {2}));
  std::vector<std::int64_t> columns(plan->columns(), 100);
  plan->add_values(ListOf{3, {{1, 1}}, {{1, 3}}}.view(), columns);
  EXPECT_EQ(columns[kind(Evidence::relevant_in_list)], 101);
  EXPECT_EQ(columns[kind(Evidence::relevant_of_user)], 101);
  EXPECT_EQ(columns[2], 100 + to_q32(0.5));
  EXPECT_EQ(columns[3], 100 + to_q32(0.25));
}

TEST(MetricPlan, sees_evidence_of_the_user_alone_where_only_items_were_missed) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall"}, {2}));
  std::vector<std::int64_t> columns(plan->columns(), 0);
  plan->add_values(ListOf{3, {}, {{1, 3}}}.view(), columns);
  EXPECT_EQ(columns, (std::vector<std::int64_t>{0, 1, 0, 0}));
}

TEST(MetricPlan, only_counts_lists_that_change_no_column) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall"}));
  EXPECT_TRUE(plan->only_counts(ListOf{3, {}, {}}.view()));
  EXPECT_FALSE(plan->only_counts(ListOf{3, {}, {{1, 1}}}.view()));
  EXPECT_FALSE(plan->only_counts(ListOf{3, {{1, 1}}, {}}.view()));
  EXPECT_FALSE(MetricPlan::make(spec_of({"short_list_share"}))->only_counts(ListOf{3, {}, {}}.view()))
      << "a share of lists says something of every list";
}

TEST(Registry, finds_every_metric_by_its_name_and_no_other) {
  for (const MetricDefinition* metric : all_metrics()) EXPECT_EQ(find_metric(metric->name), metric);
  EXPECT_EQ(find_metric("Precision"), nullptr);
  EXPECT_EQ(find_metric(""), nullptr);
}

TEST(Registry, has_formula_source_and_a_function_for_every_metric) {
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_FALSE(metric->formula.empty()) << metric->name;
    EXPECT_FALSE(metric->source.empty()) << metric->name;
    EXPECT_EQ(metric->family == Family::exposure, metric->measure != nullptr) << metric->name;
    EXPECT_NE(metric->evaluate == nullptr, metric->measure == nullptr) << metric->name;
  }
}

}  // namespace
}  // namespace recmeter
