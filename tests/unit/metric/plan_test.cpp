#include "recmeter/metric/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

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

TEST(MetricPlan, gives_every_mean_a_column_of_its_own_and_shares_what_counts_lists) {
  const auto plan = MetricPlan::make(spec_of({"precision", "distinct_items", "recall"}));
  ASSERT_TRUE(plan);
  std::set<std::size_t> columns;
  for (const PlannedMetric& metric : plan->metrics()) {
    if (metric.definition->family == Family::exposure) continue;
    columns.insert(metric.column);
    columns.insert(metric.evidence_column);
    EXPECT_EQ(metric.evidence_column, plan->metrics()[metric.definition->name == "recall" ? 4 : 0].evidence_column);
    EXPECT_EQ(metric.mean_column, PlannedMetric::no_column);
  }
  EXPECT_EQ(columns, (std::set<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(plan->columns(), 6U);
}

TEST(MetricPlan, sorts_the_cutoffs_of_exposure_and_points_into_them) {
  const auto plan = MetricPlan::make(spec_of({"distinct_items", "catalog_coverage"}, {10, 1, 5}), {.catalog_size = 9});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(std::ranges::equal(plan->exposure_cutoffs(), std::vector<std::uint32_t>{1, 5, 10}));
  for (const PlannedMetric& metric : plan->metrics()) EXPECT_EQ(plan->exposure_cutoffs()[metric.exposure], metric.cutoff);
}

TEST(MetricPlan, has_what_was_shown_with_a_score_before_the_cutoffs) {
  const auto plan =
      MetricPlan::make(spec_of({"catalog_coverage", "catalog_prediction_coverage"}, {10, 1}), {.catalog_size = 9});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->needs(ListPart::scores));
  EXPECT_TRUE(std::ranges::equal(plan->exposure_cutoffs(), std::vector<std::uint32_t>{0, 1, 10}));
  for (const PlannedMetric& metric : plan->metrics()) EXPECT_EQ(plan->exposure_cutoffs()[metric.exposure], metric.cutoff);
}

TEST(MetricPlan, knows_what_its_metrics_need) {
  const auto little = MetricPlan::make(spec_of({"precision", "ndcg_list"}));
  EXPECT_FALSE(little->needs(ListPart::missed));
  EXPECT_FALSE(little->needs_users());
  EXPECT_TRUE(MetricPlan::make(spec_of({"precision", "recall"}))->needs(ListPart::missed));
  MetricSpec of_users = spec_of({"precision"});
  of_users.requests[0].options.unit = Unit::user;
  EXPECT_TRUE(MetricPlan::make(of_users)->needs_users());
}

TEST(MetricPlan, refuses_what_needs_a_catalogue_without_one) {
  EXPECT_FALSE(MetricPlan::make(spec_of({"catalog_coverage"})));
  EXPECT_TRUE(MetricPlan::make(spec_of({"catalog_coverage"}), {.catalog_size = 1}));
}

TEST(MetricPlan, refuses_what_compares_with_ranks_of_which_nothing_is_known) {
  MetricSpec spec = spec_of({"coec"}, {1, 5});
  EXPECT_FALSE(MetricPlan::make(spec));
  spec.examination = {.first = 0.1, .by_rank = {1, 0.5}};
  const auto too_deep = MetricPlan::make(spec);
  ASSERT_FALSE(too_deep);
  EXPECT_NE(too_deep.error().context.find("ends at rank 2"), std::string::npos) << too_deep.error().context;
  spec.cutoffs = {1, 2};
  EXPECT_TRUE(MetricPlan::make(spec));
}

TEST(MetricPlan, refuses_a_unit_that_the_metric_does_not_have) {
  MetricSpec spec = spec_of({"mrr"});
  spec.requests[0].options.unit = Unit::pooled;
  EXPECT_FALSE(MetricPlan::make(spec));
  spec = spec_of({"distinct_items"});
  spec.requests[0].options.unit = Unit::user;
  EXPECT_FALSE(MetricPlan::make(spec));
  spec = spec_of({"gmap"});
  spec.requests[0].options.unit = Unit::list;
  EXPECT_FALSE(MetricPlan::make(spec));
}

TEST(MetricPlan, counts_evidence_apart_that_options_change) {
  MetricSpec spec = spec_of({"rated_auc", "rated_auc", "rated_auc"});
  spec.requests[0].options = {.unit = Unit::list, .from = 5};
  spec.requests[1].options = {.unit = Unit::list, .from = 2};
  spec.requests[2].options = {.from = 2};
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan) << plan.error().context;
  const std::array<Rating, 2> ratings{Rating{1, 3, true, 4}, Rating{2, 1, true, 2}};
  std::vector<std::int64_t> columns(plan->columns(), 0);
  plan->add_values({.length = 2, .ratings = ratings, .credited = 2}, columns);
  EXPECT_EQ(columns[plan->metrics()[0].evidence_column], 0) << "nothing is rated 5";
  EXPECT_EQ(columns[plan->metrics()[1].evidence_column], 1);
  EXPECT_EQ(columns[plan->metrics()[2].evidence_column], 1);
}

TEST(MetricPlan, keys_say_the_unit_and_ids_say_what_is_not_the_default) {
  MetricSpec spec = spec_of({"recall", "recall", "ndcg_list", "precision"}, {10});
  spec.requests[0].options.unit = Unit::pooled;
  spec.requests[2].options.gain = GainKind::exp2;
  spec.requests[2].options.unit = Unit::user;
  spec.requests[3].options.beta = 7;  // nothing to precision
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan) << plan.error().context;
  EXPECT_EQ(keys(*plan), (std::vector<std::string>{"recall@10/pooled", "recall@10", "ndcg_list@10/user", "precision@10"}));
  std::vector<std::string> ids;
  for (const PlannedMetric& metric : plan->metrics()) ids.push_back(metric.definition_id);
  EXPECT_EQ(ids, (std::vector<std::string>{"recall{unit=pooled}", "", "ndcg_list{gain=exp2,unit=user}", ""}));
  MetricSpec of_ratings = spec_of({"mae", "mae", "mae", "error_rate"}, {10});
  of_ratings.requests[1].options.unit = Unit::list;
  of_ratings.requests[2].options.unit = Unit::user;
  of_ratings.requests[3].options.unit = Unit::user;
  const auto rated = MetricPlan::make(of_ratings);
  ASSERT_TRUE(rated) << rated.error().context;
  EXPECT_EQ(keys(*rated), (std::vector<std::string>{"mae", "mae/list", "mae/user", "error_rate@10/user"}));
  EXPECT_EQ(rated->metrics()[0].definition_id, "");
  EXPECT_EQ(rated->metrics()[1].definition_id, "mae{unit=list}");
}

TEST(MetricPlan, adds_values_and_evidence_to_the_columns) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall"}, {2}));
  std::vector<std::int64_t> columns(plan->columns(), 100);
  plan->add_values(ListOf{3, {{1, 1}}, {{1, 3}}}.view(), columns);
  for (const PlannedMetric& metric : plan->metrics()) EXPECT_EQ(columns[metric.evidence_column], 101);
  EXPECT_EQ(columns[plan->metrics()[0].column], 100 + to_q32(0.5));
  EXPECT_EQ(columns[plan->metrics()[1].column], 100 + to_q32(0.25));
}

TEST(MetricPlan, sees_evidence_of_the_user_alone_where_only_items_were_missed) {
  const auto plan = MetricPlan::make(spec_of({"precision", "recall"}, {2}));
  std::vector<std::int64_t> columns(plan->columns(), 0);
  plan->add_values(ListOf{3, {}, {{1, 3}}}.view(), columns);
  EXPECT_EQ(columns[plan->metrics()[0].evidence_column], 0);
  EXPECT_EQ(columns[plan->metrics()[1].evidence_column], 1);
  EXPECT_EQ(std::accumulate(columns.begin(), columns.end(), std::int64_t{0}), 1);
}

// Its mean is over lists whose user has something relevant, wherever that was shown; its evidence is of the list.
TEST(MetricPlan, counts_lists_of_users_with_relevant_items_for_a_metric_of_the_list) {
  MetricSpec spec = spec_of({"hit_rate"}, {5});
  spec.requests[0].options.over = Over::user_relevant;
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan);
  const ListOf missed{.length = 3, .hits = {}, .missed = {{1, 2}}};
  std::vector<std::int64_t> columns(plan->columns());
  plan->add_values(missed.view(), columns);
  EXPECT_EQ(columns.at(plan->metrics()[0].mean_column), 1);
  EXPECT_FALSE(plan->only_counts(missed.view()));
  plan->add_values(ListOf{.length = 3, .hits = {}, .missed = {}}.view(), columns);
  EXPECT_EQ(columns.at(plan->metrics()[0].mean_column), 1);
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
    const bool is_of_lists =
        metric->family == Family::list_mean || metric->family == Family::list_share || metric->family == Family::quantile;
    EXPECT_EQ(is_of_lists, metric->evaluate != nullptr) << metric->name;
    EXPECT_EQ(metric->family == Family::exposure, metric->measure != nullptr) << metric->name;
  }
}

}  // namespace
}  // namespace recmeter
