// docs/metrics.md against the definitions it is written from, and the arithmetic of definitions against their values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "app/definitions/metric_text.h"
#include "docs/expression.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/metric/worked_example.h"
#include "support/off_policy.h"

namespace recmeter::docs {
namespace {

constexpr std::string_view begin_mark = "<!-- written by scripts/metrics-page -->\n\n";
constexpr std::string_view end_mark = "\n<!-- end of what scripts/metrics-page writes -->\n";

std::string page(const std::string& path) {
  std::ifstream file(std::string(RECMETER_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(DocsMetrics, the_page_is_the_one_the_definitions_make) {
  const std::string text = page("docs/metrics.md");
  const std::size_t begin = text.find(begin_mark);
  const std::size_t end = text.find(end_mark);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(text.substr(begin + begin_mark.size(), end - begin - begin_mark.size()), metrics_markdown())
      << "docs/metrics.md is behind the definitions: run scripts/metrics-page";
}

// What stands before the colon is an expression, of numbers with four decimals.
TEST(DocsMetrics, arithmetic_comes_to_the_value) {
  std::set<std::string_view> all;
  std::set<std::string_view> reckoned;
  MetricContext context;
  context.catalog_size = 20;
  context.catalog_has_attributes = true;
  context.has_lanes = true;
  context.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  for (const MetricDefinition* metric : all_metrics()) {
    if (metric->family == Family::exposure || metric->family == Family::audience || metric->of_weights != nullptr) continue;
    all.insert(metric->name);
    MetricSpec spec;
    spec.cutoffs = {1, 3, 5, 10};
    spec.requests = {{.name = std::string(metric->name)}};
    if (metric->needs_examination) spec.examination = {.first = 0.4, .by_rank = std::vector<double>(10, 1.0)};
    if (metric->needs_action) spec.requests.front().options.action = "click";
    if (metric->needs_estimator) spec.requests.front().options.of = Estimator::ips;
    if (judges_policy(*metric)) context.off_policy = support::off_policy_of(support::usual_estimator(*metric));
    const auto plan = MetricPlan::make(spec, context);
    ASSERT_TRUE(plan) << metric->name;
    for (const PlannedMetric& planned : plan->metrics()) {
      for (const ExampleList& example : example_lists()) {
        if (metric->needs_action && example.scored.by_action.empty()) continue;
        const ScoredList list = seen_by(planned, example.scored);
        if (!in_mean(planned, list) || !has_evidence(planned, list)) continue;
        const auto value = MetricPlan::value_of(planned, example.scored);
        if (!value) continue;
        const std::string text = arithmetic_of(*metric, list, planned.cutoff, planned.options);
        const auto reckoning = test::value_of_expression(text.substr(0, text.find(':')));
        ASSERT_TRUE(reckoning) << planned.key << " of " << example.name << ": " << text;
        EXPECT_NEAR(*reckoning, *value, 1e-3 * std::max(1.0, std::abs(*value)))
            << planned.key << " of " << example.name << ": " << text;
        reckoned.insert(metric->name);
      }
    }
  }
  EXPECT_EQ(reckoned, all);
}

TEST(DocsMetrics, each_metric_says_when_a_list_says_something_to_it) {
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_EQ(metric->evidence == Evidence::own, !metric->own_evidence.empty()) << metric->name;
    EXPECT_EQ(metric->evidence == Evidence::own, metric->has_evidence != nullptr) << metric->name;
  }
}

TEST(DocsMetrics, each_metric_is_told_of_in_every_form) {
  const std::string all = metrics_table(0);
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_NE(all.find("\n" + std::string(metric->name) + " "), std::string::npos) << metric->name;
    const std::string text = metric_text(*metric, 80);
    for (const std::string_view label : {"formula", "range", "value", "evidence", "source", "examples"}) {
      EXPECT_NE(text.find("\n" + std::string(label)), std::string::npos) << metric->name << " without " << label;
    }
    EXPECT_NE(metric_json(*metric).find(std::string(metric->name)), std::string::npos);
  }
}

}  // namespace
}  // namespace recmeter::docs
