#include "app/why/asked_metric.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recmeter::why {
namespace {

EvaluatorSpec made_spec() {
  EvaluatorSpec spec;
  spec.windows = {{.name = "hour", .size = one_hour, .slide = one_hour}, {.name = "day", .size = one_day, .slide = one_day}};
  spec.metrics.cutoffs = {5, 10};
  MetricRequest shown{.name = "precision", .as = "shown"};
  shown.options.precision_denominator = PrecisionDenominator::shown;
  MetricRequest of_users{.name = "mrr", .as = "by_user"};
  of_users.options.unit = Unit::user;
  spec.metrics.requests = {{.name = "precision"}, {.name = "mrr"}, {.name = "ndcg_list"}, shown, of_users};
  return spec;
}

std::string fault_of(const Result<AskedMetric>& asked) {
  return asked ? "no fault" : asked.error().context;
}

TEST(AskedMetric, is_computed_alone_at_its_cutoff) {
  const auto asked = asked_metric(made_spec(), "ndcg_list@10", "");
  ASSERT_TRUE(asked) << fault_of(asked);
  EXPECT_EQ(asked->spec.metrics.requests.size(), 1u);
  EXPECT_EQ(asked->spec.metrics.cutoffs, std::vector<std::uint32_t>{10});
  EXPECT_EQ(asked->spec.windows.size(), 2u);
  EXPECT_EQ(asked->spec.group_sums, (std::vector<std::string>{"hour", "day"}));
  EXPECT_FALSE(asked->rule.ranks);
  EXPECT_EQ(asked->rule.parts.unit, part_unit_bounded);
}

TEST(AskedMetric, of_ranks_counts_by_rank) {
  const auto precision = asked_metric(made_spec(), "precision@5", "day");
  ASSERT_TRUE(precision) << fault_of(precision);
  EXPECT_EQ(precision->spec.windows.size(), 1u);
  EXPECT_EQ(precision->spec.group_sums, std::vector<std::string>{"day"});
  EXPECT_TRUE(precision->spec.metrics.shown_counts.ranks);
  EXPECT_EQ(precision->rule.ranks, RankForm::precision);
  EXPECT_EQ(asked_metric(made_spec(), "mrr@5", "")->rule.ranks, RankForm::mrr);
  EXPECT_FALSE(asked_metric(made_spec(), "shown@5", "")->rule.ranks) << "over what was shown, not over k";
}

TEST(AskedMetric, of_item_groups_counts_by_those_of_the_catalogue) {
  EvaluatorSpec spec = made_spec();
  spec.catalog.emplace().groups = {
      .attribute = "genre", .names = {"(none)", "drama"}, .group_of = {}, .none = 0, .hash = 0, .id = 5};
  EXPECT_EQ(asked_metric(spec, "precision@5", "")->spec.metrics.shown_counts.item_groups, 0u);
  spec.attribution = AttributionSpec{.windows = {"hour"}, .item_group = "genre"};
  const auto asked = asked_metric(spec, "precision@5", "");
  EXPECT_EQ(asked->spec.metrics.shown_counts.item_groups, 2u);
  EXPECT_EQ(asked->rule.item_groups, (std::vector<std::string>{"(none)", "drama"}));
  EXPECT_EQ(asked->rule.item_groups_id, 5u);
  EXPECT_TRUE(asked_metric(spec, "mrr@5", "")->rule.item_groups.empty()) << "no list is of one group";
  spec.attribution->item_group = "brand";
  EXPECT_TRUE(asked_metric(spec, "precision@5", "")->rule.item_groups.empty()) << "the catalogue is divided by another";
}

TEST(AskedMetric, that_is_none_or_no_mean_is_refused_with_those_that_are) {
  EXPECT_NE(fault_of(asked_metric(made_spec(), "by_user@5/user", "")).find("no mean over lists"), std::string::npos);
  EXPECT_NE(fault_of(asked_metric(made_spec(), "recall@5", "")).find("precision@5, precision@10, mrr@5"), std::string::npos);
  EXPECT_NE(fault_of(asked_metric(made_spec(), "mrr@5", "week")).find("there are hour, day"), std::string::npos);
}

TEST(RuleOfKey, is_known_by_the_name_of_the_metric) {
  EXPECT_TRUE(rule_of_key("precision{action=click}@10"));
  EXPECT_FALSE(rule_of_key("mrr@10/user"));
  EXPECT_FALSE(rule_of_key("clicks"));
  EXPECT_FALSE(rule_of_key("distinct_items@10"));
}

}  // namespace
}  // namespace recmeter::why
