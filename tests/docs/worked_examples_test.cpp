// Every worked example of every definition, computed from the lists it names by the sums a run makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/overlap_facts.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/running_sums.h"
#include "support/off_policy.h"

namespace recmeter::docs {
namespace {

constexpr double four_decimals_off = 0.5e-4;

const ExampleList& list_named(char name) {
  const auto lists = example_lists();
  const auto found = std::find_if(lists.begin(), lists.end(),
                                  [&](const ExampleList& list) { return list.name == std::string_view(&name, 1); });
  EXPECT_NE(found, lists.end()) << "no example list " << name;
  return found == lists.end() ? lists.front() : *found;
}

MetricPlan plan_of(const MetricDefinition& metric, const WorkedExample& example) {
  MetricSpec spec;
  spec.cutoffs = {example.cutoff};
  spec.requests = {{.name = std::string(metric.name), .as = {}, .options = example.options}};
  spec.examination = example.options.examination;
  MetricContext context;
  context.catalog_size = example.options.catalog_size;
  context.catalog_has_attributes = true;
  context.has_lanes = true;
  context.ratings = example.options.ratings;
  for (const char* name : {"click", "purchase"}) {
    context.actions.push_back({.name = name, .gain = example.options.gain_max, .after = {}, .horizon = {}});
  }
  if (judges_policy(metric)) context.off_policy = support::off_policy_of(weighed_by(metric, example.options));
  auto plan = MetricPlan::make(spec, context);
  EXPECT_TRUE(plan) << metric.name;
  return *plan;
}

// One user a list, each in a group of its own.
std::optional<double> value_of_lists(const MetricDefinition& metric, const WorkedExample& example) {
  const MetricPlan plan = plan_of(metric, example);
  RunningSums sums;
  std::size_t group = 0;
  for (const char name : example.lists) {
    PaneSums pane;
    const ListOwner owner{.group = group, .user = user_key("user " + std::to_string(group))};
    ScoredList list = list_named(name).scored;
    if (!plan.asked_actions().empty()) list.by_action = list.by_action.subspan(plan.asked_actions().front().action, 1);
    pane.add(owner, ListValues(plan, list), {}, true);
    sums.enter(pane);
    ++group;
  }
  return sums.estimate(plan.metrics().front(), 0.95).value;
}

// The items that a list shows in the top k, once each; without a k, those with a score.
std::set<std::string_view> top_of(char name, std::uint32_t k) {
  const auto items = list_named(name).items;
  if (k == 0) {
    std::set<std::string_view> scored;
    for (const Rating& rating : list_named(name).scored.ratings) {
      if (rating.has_prediction) scored.insert(items[rating.rank - 1]);
    }
    return scored;
  }
  std::set<std::string_view> top(items.begin(), items.begin() + std::min<std::ptrdiff_t>(k, std::ssize(items)));
  top.erase("");
  return top;
}

// What the lists showed in the top k, counted plainly.
std::optional<double> value_of_exposure(const MetricDefinition& metric, const WorkedExample& example) {
  std::map<std::string_view, std::uint64_t> shown;
  for (const char name : example.lists) {
    for (const std::string_view item : top_of(name, example.cutoff)) ++shown[item];
  }
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const auto& [item, lists] : shown) ++counts[lists];
  std::vector<CountLevel> levels;
  for (const auto& [lists, items] : counts) levels.push_back({lists, items});
  const ExposureFacts facts{.distinct = shown.size(),
                            .distinct_in_catalog = shown.size(),
                            .catalog_size = example.options.catalog_size,
                            .levels = levels,
                            .levels_in_catalog = levels};
  return metric.measure(facts, example.options, 0.95).value;
}

// Every list in a group of its own, pair by pair.
std::optional<double> value_of_overlap(const MetricDefinition& metric, const WorkedExample& example) {
  OverlapFacts overlap;
  for (std::size_t a = 0; a < example.lists.size(); ++a) {
    const auto top_a = top_of(example.lists[a], example.cutoff);
    if (top_a.empty()) continue;
    overlap.lists[a] = 1;
    for (std::size_t b = 0; b < example.lists.size(); ++b) {
      const auto top_b = top_of(example.lists[b], example.cutoff);
      if (a == b || top_b.empty()) continue;
      const auto common = std::count_if(top_a.begin(), top_a.end(), [&](const auto& item) { return top_b.contains(item); });
      const double similarity =
          static_cast<double>(common) / std::sqrt(static_cast<double>(top_a.size()) * static_cast<double>(top_b.size()));
      overlap.shared[a] += Int128{to_q32(similarity)} << q32_fraction_bits;
    }
  }
  ExposureFacts facts;
  facts.overlap = &overlap;
  return metric.measure(facts, example.options, 0.95).value;
}

std::optional<double> value_of(const MetricDefinition& metric, const WorkedExample& example) {
  if (metric.exposure_needs.overlap) return value_of_overlap(metric, example);
  return metric.family == Family::exposure ? value_of_exposure(metric, example) : value_of_lists(metric, example);
}

TEST(DocsExamples, every_metric_has_text_and_an_example_that_comes_out) {
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_FALSE(metric->says.empty()) << metric->name;
    EXPECT_FALSE(metric->source.empty()) << metric->name;
    EXPECT_FALSE(metric->examples.empty()) << metric->name;
    for (const WorkedExample& example : metric->examples) {
      const auto value = value_of(*metric, example);
      EXPECT_NEAR(value.value_or(-99), example.value, four_decimals_off)
          << definition_id(*metric, example.options) << "@" << example.cutoff << " of " << example.lists;
    }
  }
}

}  // namespace
}  // namespace recmeter::docs
