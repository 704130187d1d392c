// Metrics that are cut at R, the number of items relevant to the user: [S5.51].
#include <gtest/gtest.h>

#include <cmath>

#include "list_of.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/plan.h"

namespace recmeter {
namespace {

using test::ListOf;

// R = 4: hits at 2, 3 and 6, and one more item elsewhere.
const ListOf four{6, {{2, 1}, {3, 1}, {6, 1}}, {{1, 1}}};
const ListOf only_missed{3, {}, {{1, 2}}};
const ListOf nothing{3, {}, {}};

MetricSpec at_relevant(std::string name, MetricOptions options = {}) {
  options.cut = Cut::relevant;
  MetricSpec spec;
  spec.cutoffs = {1};
  spec.requests = {{std::move(name), std::nullopt, options}};
  return spec;
}

std::optional<double> value_at_relevant(const std::string& name, const ListOf& list, MetricOptions options = {}) {
  const auto plan = MetricPlan::make(at_relevant(name, options));
  if (!plan) {
    ADD_FAILURE() << plan.error().context;
    return std::nullopt;
  }
  return MetricPlan::value_of(plan->metrics().front(), list.view());
}

constexpr double rounding = 0x1p-32;

TEST(CutAtRelevant, makes_r_precision_of_what_is_divided_by_k_or_r) {
  for (const char* name : {"precision", "recall", "f1", "fbeta"}) EXPECT_EQ(value_at_relevant(name, four), 0.5) << name;
}

TEST(CutAtRelevant, cuts_the_sums_over_ranks_and_the_ideal) {
  EXPECT_NEAR(*value_at_relevant("map_user", four), (1.0 / 2 + 2.0 / 3) / 4, rounding);
  const auto weight = [](double rank) { return 1 / std::log2(rank + 1); };
  EXPECT_NEAR(*value_at_relevant("ndcg_user", four), (weight(2) + weight(3)) / (1 + weight(2) + weight(3) + weight(4)),
              rounding);
}

// The evidence is that of recall, not of precision.
TEST(CutAtRelevant, counts_a_list_that_lacks_what_the_user_wanted_as_evidence) {
  const auto plan = MetricPlan::make(at_relevant("precision"));
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  const PlannedMetric& metric = plan->metrics().front();
  EXPECT_TRUE(plan->needs(ListPart::missed));
  EXPECT_TRUE(has_evidence(metric, only_missed.view()));
  EXPECT_EQ(MetricPlan::value_of(metric, only_missed.view()), 0);
  EXPECT_FALSE(has_evidence(metric, nothing.view()));
}

TEST(CutAtRelevant, has_no_value_where_r_is_0) {
  for (const char* name : {"precision", "recall", "f1", "fbeta", "map_user", "ndcg_user"}) {
    EXPECT_EQ(value_at_relevant(name, nothing), 0) << name << " counts as recall does";
    EXPECT_EQ(value_at_relevant(name, nothing, {.over = Over::relevant}), std::nullopt) << name;
  }
}

TEST(CutAtRelevant, is_one_metric_whatever_the_cutoffs) {
  MetricSpec spec = at_relevant("precision");
  spec.cutoffs = {1, 5, 10};
  spec.requests.push_back({"precision", std::nullopt, {}});
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  ASSERT_EQ(plan->metrics().size(), 4U);
  EXPECT_EQ(plan->metrics().front().key, "precision@R");
  EXPECT_EQ(plan->metrics().front().definition_id, "precision{cut=R}");
  EXPECT_EQ(plan->metrics()[1].key, "precision@1");
  EXPECT_EQ(plan->metrics()[1].definition->scope, Scope::list) << "of k it knows the list alone";
}

// Each list its own k, in the sums of every unit.
TEST(CutAtRelevant, sums_hits_and_r_of_each_list_when_pooled) {
  const auto plan = MetricPlan::make(at_relevant("precision", {.unit = Unit::pooled}));
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  const PlannedMetric& metric = plan->metrics().front();
  EXPECT_EQ(metric.key, "precision@R/pooled");
  std::vector<std::int64_t> columns(plan->columns(), 0);
  const ListOf one{2, {{1, 1}}, {}};
  for (const ListOf* list : {&four, &one, &only_missed, &nothing}) plan->add_values(list->view(), columns);
  const std::vector<Int128> sums(columns.begin() + static_cast<std::ptrdiff_t>(metric.column),
                                 columns.begin() + static_cast<std::ptrdiff_t>(metric.column + metric.columns));
  EXPECT_EQ(metric.pooled->value({.lists = 4, .evidence = 3, .columns = sums}, metric.cutoff, metric.options), 3.0 / 7);
}

TEST(CutAtRelevant, is_refused_by_name_where_a_definition_does_not_take_it) {
  for (const MetricDefinition* metric : all_metrics()) {
    if (takes_cut(*metric, Cut::relevant) || metric->needs_catalog) continue;
    const auto plan = MetricPlan::make(at_relevant(std::string(metric->name)));
    ASSERT_FALSE(plan.has_value()) << metric->name;
    EXPECT_NE(plan.error().context.find("`" + std::string(metric->name) + "`"), std::string::npos) << plan.error().context;
  }
}

TEST(CutAtRelevant, leaves_curves_without_a_number_to_end_at) {
  MetricSpec spec = at_relevant("precision");
  spec.cutoffs = {};
  EXPECT_TRUE(MetricPlan::make(spec).has_value());
  spec.curves = true;
  const auto plan = MetricPlan::make(spec);
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(plan.error().context.find("[10, R]"), std::string::npos) << plan.error().context;
}

TEST(CutAtRelevant, asks_for_what_a_user_did_outside_the_list) {
  EXPECT_TRUE(looks_beyond_list(*find_metric("precision"), {.cut = Cut::relevant}));
  EXPECT_FALSE(looks_beyond_list(*find_metric("precision"), {}));
}

}  // namespace
}  // namespace recmeter
