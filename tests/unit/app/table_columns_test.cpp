// The columns of the first table: one of each kind, and none that another one tells already.
#include "app/run/table_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/list_halves.h"
#include "support/dice.h"
#include "support/random_spec.h"

namespace recmeter {
namespace {

using Names = std::vector<std::string>;

Action action_of(const std::string& name, double gain) {
  Action action;
  action.name = name;
  action.gain = gain;
  return action;
}

MetricPlan plan_of(const std::vector<std::uint32_t>& cutoffs, const Names& names, const std::vector<Action>& actions) {
  MetricSpec spec;
  spec.cutoffs = cutoffs;
  for (const std::string& name : names) spec.requests.push_back({.name = name});
  auto plan = MetricPlan::make(spec, {.actions = actions});
  EXPECT_TRUE(plan) << plan.error().context;
  return std::move(*plan);
}

Names keys_of(const MetricPlan& plan, std::uint32_t cutoff, std::uint32_t longest, const std::vector<Action>& actions) {
  Names keys;
  for (const std::size_t i : table_columns(plan, cutoff, longest, actions)) keys.push_back(plan.metrics()[i].key);
  return keys;
}

ListLengths of_lengths(const std::vector<std::uint32_t>& lengths) {
  ListLengths lists;
  for (const std::uint32_t length : lengths) lists.add(length);
  return lists;
}

const std::vector<Action> click{action_of("click", 1)};
const std::vector<Action> click_and_purchase{action_of("click", 1), action_of("purchase", 3)};
const Names usual{"precision", "hit_rate", "mrr", "map_list", "ndcg_list", "recall", "distinct_items"};

TEST(TableCutoff, is_the_largest_that_half_of_the_lists_reach) {
  const std::vector<std::uint32_t> cutoffs{1, 5, 10, 20};
  EXPECT_EQ(table_cutoff(cutoffs, of_lengths({5, 5, 5})), 5U);
  EXPECT_EQ(table_cutoff(cutoffs, of_lengths({5, 10})), 10U);
  EXPECT_EQ(table_cutoff(cutoffs, of_lengths({5, 5, 10})), 5U);
  EXPECT_EQ(table_cutoff(cutoffs, of_lengths({40, 40})), 10U) << "nobody looks so far";
  EXPECT_EQ(table_cutoff(std::vector<std::uint32_t>{20, 5}, of_lengths({3})), 5U) << "the smallest is as near as it gets";
  EXPECT_EQ(table_cutoff(std::vector<std::uint32_t>{20, 50}, of_lengths({60})), 20U);
  EXPECT_EQ(table_cutoff(cutoffs, of_lengths({})), 10U);
}

TEST(TableCutoff, of_arms_suits_each_that_has_a_twentieth_of_the_lists) {
  const std::vector<std::uint32_t> cutoffs{1, 5, 10, 20};
  const auto many = [](std::uint32_t length, std::size_t lists) {
    ListLengths lengths;
    for (std::size_t i = 0; i < lists; ++i) lengths.add(length);
    return lengths;
  };
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(10, 99), many(5, 1)}), 10U) << "a slip of one list changes no table";
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(10, 95), many(5, 5)}), 5U);
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(20, 50), many(10, 50)}), 10U);
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(4, 50), many(6, 50)}), 5U) << "four is nearer to five than to one";
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(2, 50), many(6, 50)}), 1U);
  EXPECT_EQ(table_cutoff(cutoffs, std::vector{many(10, 50), many(0, 50)}), 1U);
  EXPECT_EQ(table_cutoff(cutoffs, std::vector<ListLengths>{}), 10U);
}

TEST(TableCutoff, holds_half_of_the_items_acted_on) {
  const std::vector<std::uint32_t> cutoffs{1, 5, 10, 20};
  const auto hits_at = [](const std::vector<std::uint32_t>& ranks) {
    ListLengths hits;
    for (const std::uint32_t rank : ranks) hits.add(rank);
    return hits;
  };
  EXPECT_EQ(cutoff_of_hits(1, cutoffs, hits_at({1, 2, 3})), 5U);
  EXPECT_EQ(cutoff_of_hits(1, cutoffs, hits_at({1, 1, 3, 3})), 1U);
  EXPECT_EQ(cutoff_of_hits(1, cutoffs, hits_at({1, 7, 8})), 10U);
  EXPECT_EQ(cutoff_of_hits(1, cutoffs, hits_at({15, 16, 17})), 1U) << "nobody looks so far";
  EXPECT_EQ(cutoff_of_hits(5, cutoffs, hits_at({})), 5U);
  EXPECT_EQ(cutoff_of_hits(0, cutoffs, hits_at({1, 2})), 0U);
}

TEST(ListHalves, are_equal_where_the_order_says_nothing) {
  const auto of = [](std::uint64_t lists, const auto& rank) {
    ListHalves halves;
    for (std::uint64_t i = 0; i < lists; ++i) halves.add(rank(i), 5);
    return halves;
  };
  const auto any = [](std::uint64_t i) { return 1 + i % 5; };
  EXPECT_DOUBLE_EQ(of(5000, any).share(), 0.4);
  EXPECT_NEAR(of(5000, any).chance(), 0.4, 1e-8);
  EXPECT_TRUE(of(5000, any).are_equal(0.05));
  EXPECT_FALSE(of(290, any).are_equal(0.05)) << "too few";
  EXPECT_FALSE(of(400, any).are_equal(0.05)) << "not sure yet";
  EXPECT_FALSE(of(5000, [](std::uint64_t i) { return 1 + i % 4; }).are_equal(0.05));
  ListHalves short_ones;
  short_ones.add(1, 3);
  EXPECT_EQ(short_ones.actions(), 0U);
}

TEST(ComparedColumn, by_order_is_one_that_looks_at_it) {
  const MetricPlan plan = plan_of({5}, {"precision", "mrr", "ndcg_list"}, click);
  const std::vector<std::size_t> columns{0, 1, 2};
  EXPECT_EQ(plan.metrics()[compared_column(plan, columns).value()].key, "precision@5");
  EXPECT_EQ(plan.metrics()[compared_column(plan, columns, true).value()].key, "ndcg_list@5");
  EXPECT_EQ(compared_column(plan, std::vector<std::size_t>{0, 1}, true), 0U) << "as ever, where there is none";
}

TEST(TableColumns, are_one_of_each_kind_at_the_cutoff) {
  const MetricPlan plan = plan_of({1, 5, 10}, usual, click_and_purchase);
  EXPECT_EQ(keys_of(plan, 5, 5, click_and_purchase),
            (Names{"precision@5", "hit_rate@5", "mrr@5", "ndcg_list@5", "recall@5", "distinct_items@5"}));
}

TEST(TableColumns, have_the_share_of_slow_lists_beside_how_slow_they_are) {
  MetricSpec spec;
  for (const MetricOptions& options :
       {MetricOptions{}, MetricOptions{.rank_share = 0.5}, MetricOptions{.slower_than = 500}}) {
    spec.requests.push_back({.name = "latency", .as = {}, .options = options});
  }
  const auto plan = MetricPlan::make(spec);
  ASSERT_TRUE(plan) << plan.error().context;
  EXPECT_EQ(keys_of(*plan, 10, 10, click), (Names{"latency", "latency{slower_than=500}"}));
}

TEST(TableColumns, leave_out_what_is_equal_by_definition) {
  const MetricPlan plan = plan_of({1}, usual, click_and_purchase);
  EXPECT_EQ(keys_of(plan, 1, 50, click_and_purchase), (Names{"precision@1", "ndcg_list@1", "recall@1", "distinct_items@1"}))
      << "hit rate and MRR at 1 are precision; a purchase below a click moves nDCG alone";
  const MetricPlan of_clicks = plan_of({1}, usual, click);
  EXPECT_EQ(keys_of(of_clicks, 1, 50, click), (Names{"precision@1", "recall@1", "distinct_items@1"}));
  const MetricPlan of_ten = plan_of({10}, usual, click);
  EXPECT_EQ(keys_of(of_ten, 10, 1, click), (Names{"precision@10", "hit_rate@10", "recall@10", "distinct_items@10"}))
      << "lists of one item have no order";
}

// Tells whether some list of at most `longest` ranks has two values.
bool differ(const PlannedMetric& a, const PlannedMetric& b, std::uint32_t longest, const std::vector<Action>& actions,
            std::size_t parts, support::Dice& dice) {
  std::vector<double> gains;
  for (const Action& action : actions) {
    if (action.gain > 0) gains.push_back(action.gain);
  }
  for (int i = 0; i < 3000; ++i) {
    ScoredList list;
    list.length = static_cast<std::uint32_t>(dice.below(longest + 1));
    std::vector<Hit> hits;
    std::vector<Hit> of_one;
    for (std::uint32_t rank = 1; rank <= list.length && !gains.empty(); ++rank) {
      if (dice.below(3) > 0) continue;
      hits.push_back({rank, gains[dice.below(gains.size())]});
      of_one.push_back({rank, 1});
    }
    std::vector<std::uint32_t> distinct;
    for (std::uint32_t rank = 0; rank <= list.length; ++rank) distinct.push_back(rank);
    std::vector<GradeCount> missed;
    if (!gains.empty() && dice.below(2) == 0) missed.push_back({gains.front(), 1 + dice.below(3)});
    for (const GradeCount& count : missed) list.missed_items += count.items;
    const std::vector<ActionPart> by_action(parts, {.hits = of_one, .missed = missed, .missed_items = list.missed_items});
    list.hits = hits;
    list.missed = missed;
    list.distinct = distinct;
    list.credited = hits.size();
    list.by_action = by_action;
    if (MetricPlan::value_of(a, list) != MetricPlan::value_of(b, list)) return true;
  }
  return false;
}

TEST(TableColumns, of_any_configuration_are_one_of_each_name_and_none_equal) {
  const std::vector<std::string> of_hits{"precision", "hit_rate", "mrr", "map_list", "ndcg_list", "ndcg_user",
                                         "recall",    "f1",       "rbp", "err",      "half_life", "map_user"};
  support::Dice dice(7);
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const EvaluatorSpec random = support::random_spec(seed);
    MetricSpec spec;
    std::set<std::uint32_t> cutoffs;
    for (std::size_t i = dice.below(3) + 1; i > 0; --i) cutoffs.insert(static_cast<std::uint32_t>(dice.below(12) + 1));
    spec.cutoffs.assign(cutoffs.begin(), cutoffs.end());
    for (const std::string& name : of_hits) {
      if (dice.below(3) > 0) spec.requests.push_back({.name = name});
    }
    std::vector<Action> actions = dice.below(2) == 0 ? click : click_and_purchase;
    const auto plan = MetricPlan::make(spec, {.actions = actions});
    ASSERT_TRUE(plan) << plan.error().context;
    const auto longest = static_cast<std::uint32_t>(dice.below(6) + 1);
    const std::uint32_t cutoff = table_cutoff(spec.cutoffs, of_lengths({longest}));
    const auto columns = table_columns(*plan, cutoff, longest, actions);
    EXPECT_TRUE(std::ranges::is_sorted(columns));
    EXPECT_EQ(columns.empty(), spec.requests.empty());
    std::set<std::string_view> names;
    for (const std::size_t i : columns) {
      const PlannedMetric& metric = plan->metrics()[i];
      EXPECT_TRUE(names.insert(metric.definition->name).second) << metric.key;
      EXPECT_EQ(metric.cutoff, cutoff) << metric.key;
      for (const std::size_t j : columns) {
        if (j <= i) continue;
        ++compared;
        EXPECT_TRUE(differ(metric, plan->metrics()[j], longest, actions, plan->asked_actions().size(), dice))
            << metric.key << " and " << plan->metrics()[j].key << " of lists of " << longest;
      }
    }
    const std::set<std::string_view> of_order{"map_list", "ndcg_list", "ndcg_user", "rbp", "err", "half_life", "map_user"};
    EXPECT_LE(std::ranges::count_if(names, [&](std::string_view name) { return of_order.contains(name); }), 1) << seed;
    // Whatever else is configured: at most one of each name and action, and the choice is always there.
    const auto whole = EvaluatorPlan::make(random, Duration{0}, false);
    ASSERT_TRUE(whole) << whole.error().context;
    std::set<std::pair<const MetricDefinition*, std::size_t>> kinds;
    for (const std::size_t i : table_columns(whole->metrics, cutoff, longest, random.join.actions)) {
      const PlannedMetric& metric = whole->metrics.metrics()[i];
      EXPECT_TRUE(kinds.emplace(metric.definition, metric.action).second) << metric.key;
    }
  }
  EXPECT_GT(compared, 300U);
}

}  // namespace
}  // namespace recmeter
