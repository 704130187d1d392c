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
  EXPECT_TRUE(asked->spec.group_sums);
  EXPECT_FALSE(asked->ranks);
  EXPECT_EQ(asked->rule.unit, part_unit_bounded);
}

TEST(AskedMetric, of_ranks_has_each_cutoff_up_to_its_own) {
  const auto precision = asked_metric(made_spec(), "precision@5", "day");
  ASSERT_TRUE(precision) << fault_of(precision);
  EXPECT_EQ(precision->spec.windows.size(), 1u);
  ASSERT_TRUE(precision->ranks);
  EXPECT_EQ(precision->ranks->keys,
            (std::vector<std::string>{"precision@1", "precision@2", "precision@3", "precision@4", "precision@5"}));
  const auto mrr = asked_metric(made_spec(), "mrr@5", "");
  ASSERT_TRUE(mrr) << fault_of(mrr);
  ASSERT_TRUE(mrr->ranks) << "by the hit rate, which counts first relevant items";
  EXPECT_EQ(mrr->ranks->keys.size(), 5u);
  EXPECT_EQ(mrr->spec.metrics.requests.back().name, "hit_rate");
  const auto shown = asked_metric(made_spec(), "shown@5", "");
  ASSERT_TRUE(shown) << fault_of(shown);
  EXPECT_FALSE(shown->ranks) << "over what was shown, not over k";
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
