// docs/metrics.md against the definitions it is written from, and the arithmetic of definitions against their values.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "app/metric_text.h"
#include "docs/expression.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/registry.h"
#include "recmeter/metric/worked_example.h"

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

// Numbers in arithmetic have four decimals.
TEST(DocsMetrics, arithmetic_comes_to_the_value) {
  std::set<std::string_view> reckoned;
  for (const MetricDefinition* metric : all_metrics()) {
    if (metric->evaluate == nullptr) continue;
    for (const ExampleList& example : example_lists()) {
      for (const std::uint32_t k : {1U, 5U, 10U}) {
        MetricOptions options;
        options.catalog_size = 20;
        const ScoredList& list = example.scored;
        if (metric->evidence == Evidence::own && !metric->has_evidence(list, k, options)) continue;
        if (metric->evidence == Evidence::relevant_in_list && list.relevant_in_list() == 0) continue;
        if (metric->evidence == Evidence::relevant_of_user && list.relevant_of_user() == 0) continue;
        const std::string text = arithmetic_of(*metric, list, k, options);
        EXPECT_FALSE(text.empty()) << metric->name;
        const auto value = test::value_of_expression(text.substr(0, text.find(':')));
        if (!value) continue;  // words
        EXPECT_NEAR(*value, metric->evaluate(list, k, options), 1e-3) << metric->name << "@" << k << ": " << text;
        reckoned.insert(metric->name);
      }
    }
  }
  for (const char* name :
       {"precision", "hit_rate", "mrr", "map_list", "map_user", "ndcg_list", "ndcg_user", "recall", "f1", "fbeta"}) {
    EXPECT_TRUE(reckoned.contains(name)) << name;
  }
}

TEST(DocsMetrics, each_metric_is_told_of_in_every_form) {
  const std::string all = metrics_table(0);
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_NE(all.find("\n" + std::string(metric->name) + " "), std::string::npos) << metric->name;
    const std::string text = metric_text(*metric);
    for (const std::string_view label : {"formula", "range", "value", "evidence", "source", "examples"}) {
      EXPECT_NE(text.find("\n" + std::string(label)), std::string::npos) << metric->name << " without " << label;
    }
    EXPECT_NE(metric_json(*metric).find(std::string(metric->name)), std::string::npos);
  }
}

}  // namespace
}  // namespace recmeter::docs
