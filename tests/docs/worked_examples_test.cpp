// Every worked example of every definition, computed from the lists it names by the sums a run makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/window/running_sums.h"

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
  MetricSurroundings surroundings;
  surroundings.catalog_size = example.options.catalog_size;
  surroundings.catalog_has_attributes = true;
  surroundings.ratings = example.options.ratings;
  auto plan = MetricPlan::make(spec, surroundings);
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
    pane.add(plan, owner, list_named(name).scored, {}, true);
    sums.add(pane);
    ++group;
  }
  return sums.estimate(plan.metrics().front(), 0.95).value;
}

// What the lists showed in the top k, counted plainly.
std::optional<double> value_of_exposure(const MetricDefinition& metric, const WorkedExample& example) {
  std::map<std::string_view, std::uint64_t> shown;
  for (const char name : example.lists) {
    const auto items = list_named(name).items;
    std::vector<std::string_view> top(items.begin(),
                                      items.begin() + std::min<std::ptrdiff_t>(example.cutoff, std::ssize(items)));
    std::sort(top.begin(), top.end());
    top.erase(std::unique(top.begin(), top.end()), top.end());
    for (const std::string_view item : top) shown[item] += item.empty() ? 0U : 1U;
  }
  shown.erase("");
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

TEST(DocsExamples, every_metric_has_text_and_an_example_that_comes_out) {
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_FALSE(metric->says.empty()) << metric->name;
    EXPECT_FALSE(metric->source.empty()) << metric->name;
    EXPECT_FALSE(metric->examples.empty()) << metric->name;
    for (const WorkedExample& example : metric->examples) {
      if (metric->exposure_needs.overlap) continue;  // of users' lists: tests/unit/window has them
      const auto value =
          metric->family == Family::exposure ? value_of_exposure(*metric, example) : value_of_lists(*metric, example);
      EXPECT_NEAR(value.value_or(-1), example.value, four_decimals_off)
          << definition_id(*metric, example.options) << "@" << example.cutoff << " of " << example.lists;
    }
  }
}

}  // namespace
}  // namespace recmeter::docs
