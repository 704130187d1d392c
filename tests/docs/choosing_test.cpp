// The numbers of docs/choosing-metrics.md: what moves each metric, and what misleads. After Schröder, Thiele, Lehner 2011,
// Figures 1 to 4: the cutoff, the position of a hit, the share of relevant items, more relevant items than k.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "docs/page.h"
#include "recmeter/metric/registry.h"

namespace recmeter::docs {
namespace {

constexpr std::uint32_t items = 10;
constexpr double four_decimals = 0.51e-4;

// The value of a list of all ten items, hits at `ranks`.
double value_of(const std::string& name, const std::vector<std::uint32_t>& ranks, std::uint32_t k) {
  const MetricDefinition* metric = find_metric(name);
  EXPECT_NE(metric, nullptr) << name;
  std::vector<Hit> hits;
  for (const std::uint32_t rank : ranks) hits.push_back({rank, 1});
  std::vector<std::uint32_t> distinct(items + 1);
  std::iota(distinct.begin(), distinct.end(), 0U);
  ScoredList list;
  list.length = items;
  list.hits = hits;
  list.distinct = distinct;
  MetricOptions options;
  options.catalog_size = items;
  if (metric->evidence == Evidence::own && !metric->has_evidence(list, k, options)) return 0;
  return metric->evaluate(list, k, options);
}

// The mean over all orders: over every choice of the relevant ranks.
double value_of_random(const std::string& name, std::uint32_t relevant, std::uint32_t k) {
  std::vector<bool> chosen(items, false);
  std::fill(chosen.begin(), chosen.begin() + relevant, true);
  double sum = 0;
  std::size_t orders = 0;
  do {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < items; ++i) {
      if (chosen[i]) ranks.push_back(i + 1);
    }
    sum += value_of(name, ranks, k);
    ++orders;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return sum / static_cast<double>(orders);
}

double number(const std::string& text) {
  double value = std::nan("");
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// metric and the varied number -> value.
using Computed = std::function<double(const std::string&, std::uint32_t)>;

void expect_table(const std::string& section, const std::vector<std::string>& metrics, const Computed& computed) {
  const auto rows = Page("docs/choosing-metrics.md").table_rows(section);
  ASSERT_GE(rows.size(), 4U) << section;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), metrics.size() + 1) << section;
    const auto varied = static_cast<std::uint32_t>(number(row[0]));
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      EXPECT_NEAR(number(row[m + 1]), computed(metrics[m], varied), four_decimals) << metrics[m] << " at " << varied;
    }
  }
}

const std::vector<std::string> nine{"precision", "recall",       "f1",         "mrr", "ndcg_user",
                                    "lauc",      "informedness", "markedness", "mcc"};

TEST(ChoosingMetrics, a_longer_random_list_looks_better_to_some) {
  expect_table("A random list, more ranks", nine,
               [](const std::string& name, std::uint32_t k) { return value_of_random(name, 3, k); });
}

TEST(ChoosingMetrics, some_see_where_a_hit_stands) {
  expect_table("One hit, further down", {"precision", "recall", "f1", "mrr", "map_user", "ndcg_user", "lauc", "informedness"},
               [](const std::string& name, std::uint32_t rank) { return value_of(name, {rank}, 5); });
}

TEST(ChoosingMetrics, more_relevant_items_make_a_random_list_look_better_to_some) {
  expect_table("A random list, more relevant items", nine,
               [](const std::string& name, std::uint32_t relevant) { return value_of_random(name, relevant, 5); });
}

TEST(ChoosingMetrics, some_cannot_reach_one) {
  expect_table("A perfect list, more relevant items", {"precision", "recall", "f1", "mrr", "map_user", "ndcg_user", "lauc"},
               [](const std::string& name, std::uint32_t relevant) {
                 std::vector<std::uint32_t> ranks(relevant);
                 std::iota(ranks.begin(), ranks.end(), 1U);
                 return value_of(name, ranks, 5);
               });
}

TEST(ChoosingMetrics, each_metric_has_told_what_it_hides) {
  std::multiset<std::string> told;
  for (const auto& row : Page("docs/choosing-metrics.md").table_rows("What each one hides")) {
    EXPECT_EQ(row.size(), 3U);
    for (const std::string& name : code_spans(row[0])) told.insert(name);
  }
  std::multiset<std::string> all;
  for (const MetricDefinition* metric : all_metrics()) all.emplace(metric->name);
  EXPECT_EQ(told, all);
}

// What an answer takes is in the configuration that it leads to.
TEST(ChoosingMetrics, each_answer_leads_to_a_configuration_that_has_its_metrics) {
  const Page page("docs/choosing-metrics.md");
  std::string blocks;
  for (const std::string& block : page.blocks("yaml")) blocks += block;
  std::size_t answers = 0;
  for (const auto& row : page.table_rows("Questions")) {
    ASSERT_EQ(row.size(), 4U);
    ++answers;
    for (const std::string& name : code_spans(row[2])) {
      if (find_metric(name) == nullptr || name == "auc" || name == "intra_list_diversity") continue;
      EXPECT_NE(blocks.find(name), std::string::npos) << name;
    }
  }
  EXPECT_GE(answers, 15U);
}

// What the page concludes from the tables, for every share of relevant items and every k.
TEST(ChoosingMetrics, chance_is_chance_for_the_corrected_ones) {
  for (std::uint32_t relevant = 1; relevant < items; ++relevant) {
    for (std::uint32_t k = 1; k < items; ++k) {
      EXPECT_NEAR(value_of_random("informedness", relevant, k), 0, 1e-12);
      EXPECT_NEAR(value_of_random("markedness", relevant, k), 0, 1e-12);
      EXPECT_NEAR(value_of_random("mcc", relevant, k), 0, 1e-12);
      EXPECT_NEAR(value_of_random("lauc", relevant, k), 0.5, 1e-12);
      EXPECT_NEAR(value_of_random("precision", relevant, k), relevant / 10.0, 1e-12);
      EXPECT_NEAR(value_of_random("recall", relevant, k), k / 10.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace recmeter::docs
