// `universe: list`: metrics for which there is nothing but the items of the list: [S5.53].
#include <gtest/gtest.h>

#include "list_of.h"
#include "recmeter/metric/plan.h"

namespace recmeter {
namespace {

using test::ListOf;

// Five items, of which those at ranks 2, 3 and 5 are relevant; the user acted on two more.
const ListOf five{5, {{2, 1}, {3, 1}, {5, 1}}, {{1, 2}}};
const ListOf only_missed{3, {}, {{1, 2}}};
const ListOf all_relevant{2, {{1, 1}, {2, 1}}, {}};
// The item of rank 1 stands at rank 2 again.
const ListOf repeats{3, {{3, 1}}, {}, {0, 1, 1, 2}};

MetricPlan plan_of(std::string name, MetricOptions options, std::uint64_t catalog_size = 20) {
  options.universe = Universe::list;
  MetricSpec spec;
  spec.cutoffs = {2};
  spec.requests = {{std::move(name), std::nullopt, options}};
  auto plan = MetricPlan::make(spec, {.catalog_size = catalog_size});
  EXPECT_TRUE(plan.has_value()) << plan.error().context;
  return plan ? std::move(*plan) : MetricPlan();
}

std::optional<double> of_list_alone(const std::string& name, const ListOf& list, MetricOptions options = {}) {
  const MetricPlan plan = plan_of(name, options);
  return MetricPlan::value_of(plan.metrics().front(), list.view());
}

constexpr double rounding = 0x1p-32;

TEST(UniverseOfList, has_no_missed_items) {
  EXPECT_NEAR(*of_list_alone("recall", five), 1.0 / 3, rounding);
  EXPECT_NEAR(*of_list_alone("miss_rate", five), 2.0 / 3, rounding);
  EXPECT_NEAR(*of_list_alone("f1", five), 2.0 / 5, rounding);
  EXPECT_NEAR(*of_list_alone("ap_11", five, {.level = 333}), 1.0 / 2, rounding);
}

TEST(UniverseOfList, has_no_items_of_a_catalogue) {
  EXPECT_EQ(*of_list_alone("fallout", five), 0.5) << "tn is the item of rank 4";
  EXPECT_NEAR(*of_list_alone("inverse_precision", five), 1.0 / 3, rounding);
  EXPECT_NEAR(*of_list_alone("informedness", five), 1.0 / 3 + 1.0 / 2 - 1, rounding);
  EXPECT_NEAR(*of_list_alone("auc", five), 2.0 / 6, rounding) << "ranks 2 and 3 stand above rank 4";
}

TEST(UniverseOfList, counts_a_repeated_item_once) {
  EXPECT_EQ(*of_list_alone("fallout", repeats), 1) << "one irrelevant item, which the top 2 shows";
  EXPECT_EQ(*of_list_alone("auc", repeats), 0);
}

TEST(UniverseOfList, makes_r_that_of_the_list) {
  EXPECT_NEAR(*of_list_alone("precision", five, {.cut = Cut::relevant}), 2.0 / 3, rounding);
}

TEST(UniverseOfList, has_the_evidence_that_the_list_has) {
  const MetricPlan recall = plan_of("recall", {});
  const PlannedMetric& metric = recall.metrics().front();
  EXPECT_FALSE(has_evidence(metric, seen_by(metric, only_missed.view())));
  EXPECT_EQ(of_list_alone("recall", only_missed, {.over = Over::user_relevant}), std::nullopt);
  EXPECT_EQ(of_list_alone("auc", all_relevant), std::nullopt) << "nothing to tell apart, whatever the catalogue";
}

// A counter of lists with evidence is not shared with the same metric of all items.
TEST(UniverseOfList, counts_its_evidence_apart) {
  MetricSpec spec;
  spec.cutoffs = {2};
  spec.requests = {{"recall", std::nullopt, {}}, {"recall", "of_list", {.universe = Universe::list}}};
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  std::vector<std::int64_t> columns(plan->columns(), 0);
  plan->add_values(only_missed.view(), columns);
  EXPECT_EQ(columns[plan->metrics()[0].evidence_column], 1);
  EXPECT_EQ(columns[plan->metrics()[1].evidence_column], 0);
}

TEST(UniverseOfList, needs_neither_users_nor_a_catalogue) {
  const MetricPlan plan = plan_of("fallout", {}, 0);
  EXPECT_FALSE(plan.needs(ListPart::missed));
  EXPECT_TRUE(plan.needs(ListPart::distinct));
  EXPECT_FALSE(looks_beyond_list(*find_metric("fallout"), {.universe = Universe::list}));
}

TEST(UniverseOfList, is_told_by_the_definition_of_a_value) {
  EXPECT_EQ(plan_of("recall", {}).metrics().front().definition_id, "recall{universe=list}");
}

TEST(UniverseOfList, is_refused_where_it_says_nothing) {
  for (const char* name : {"precision", "mrr", "croc_auc", "map_user"}) {
    MetricSpec spec;
    spec.requests = {{name, std::nullopt, {.universe = Universe::list}}};
    EXPECT_FALSE(MetricPlan::make(spec, {.catalog_size = 20}).has_value()) << name;
  }
}

}  // namespace
}  // namespace recmeter
