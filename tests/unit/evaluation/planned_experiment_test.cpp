#include "recmeter/evaluation/planned_experiment.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

constexpr Duration minute{60'000};

class Planned : public testing::Test {
 protected:
  Planned() {
    evaluator_.join.horizons = {Duration{30'000}};
    evaluator_.join.skew = Duration{1'000};
    evaluator_.metrics.cutoffs = {3};
    evaluator_.metrics.requests = {{.name = "precision", .as = {}, .options = {}},
                                   {.name = "recall", .as = {}, .options = {.unit = Unit::pooled}},
                                   {.name = "mrr", .as = {}, .options = {.over = Over::relevant}}};
    spec_ = {.name = "e",
             .arms = {.key = "v", .values = {"A", "B"}},
             .allocation = {0.5, 0.5},
             .start = EventTime{600'000'000'000},
             .duration = Duration{3 * minute.ms},
             .every = minute,
             .horizon = evaluator_.join.horizons[0],
             .primary = {{.metric = "precision@3", .mde = 0.1}},
             .guardrails = {{.metric = "recall@3/pooled", .mde = 0.1}},
             .secondary = {{.metric = "mrr@3", .mde = 0.1}, {.metric = "precision@3", .mde = 0.1}}};
  }
  PlannedExperiment plan() { return PlannedExperiment::make(spec_, evaluator_, *metrics_).value(); }

  EvaluatorSpec evaluator_;
  ExperimentSpec spec_;
  Result<MetricPlan> metrics_ = tl::unexpected(Error{});
  void SetUp() override { metrics_ = MetricPlan::make(evaluator_.metrics); }
};

TEST_F(Planned, has_a_look_for_each_list_and_none_of_the_next_before_it_is_complete) {
  const PlannedExperiment plan = this->plan();
  EXPECT_EQ(plan.last_look(), 3);
  EXPECT_EQ(plan.look_of(spec_.start), 1);
  EXPECT_EQ(plan.look_of(spec_.start + minute - Duration{1}), 1);
  EXPECT_EQ(plan.look_of(spec_.start + minute), 2);
  // The last list of a look is scored at its time and age, the first of the next a millisecond later.
  const EventTime last = plan.look_time(1) - Duration{1};
  EXPECT_EQ(plan.complete_at(1), last + plan.age);
}

TEST_F(Planned, says_when_the_next_look_is_complete) {
  const PlannedExperiment plan = this->plan();
  EXPECT_EQ(plan.next_complete_after(minus_infinity), plan.complete_at(1));
  EXPECT_EQ(plan.next_complete_after(plan.complete_at(1) - Duration{1}), plan.complete_at(1));
  EXPECT_EQ(plan.next_complete_after(plan.complete_at(1)), plan.complete_at(2));
  EXPECT_EQ(plan.next_complete_after(plan.complete_at(2) + Duration{1}), plan.complete_at(3));
  EXPECT_EQ(plan.next_complete_after(plan.complete_at(3)), plus_infinity);
}

TEST_F(Planned, sums_each_column_once_whoever_tests_it) {
  const PlannedExperiment plan = this->plan();
  ASSERT_EQ(plan.metrics.size(), 4U);
  // precision, the three columns each of recall's two sums, mrr and the lists with evidence.
  EXPECT_EQ(plan.columns.size(), 1U + 6U + 2U);
  EXPECT_EQ(plan.metrics[0].sum.first, plan.metrics[3].sum.first);
  EXPECT_EQ(plan.metrics[0].weight.first, PlannedExperiment::lists_at);
  EXPECT_TRUE(plan.metrics[0].weight.is_count);
  EXPECT_EQ(plan.metrics[1].weight.width, 3U);
  EXPECT_FALSE(plan.metrics[1].weight.is_count);
  EXPECT_NE(plan.metrics[2].weight.first, PlannedExperiment::lists_at);
  EXPECT_EQ(plan.width(), 2U + plan.columns.size());
}

TEST_F(Planned, keeps_the_time_before_apart_where_cuped_asks_for_it) {
  spec_.cuped_before = minute;
  const PlannedExperiment plan = this->plan();
  EXPECT_EQ(plan.width(), 2 + 2 * plan.columns.size() + 1);
  EXPECT_EQ(plan.before(plan.metrics[0].weight).first, plan.before_at());
  EXPECT_EQ(plan.before(plan.metrics[0].sum).first, plan.metrics[0].sum.first + plan.columns.size() + 1);
  EXPECT_LT(plan.before(plan.metrics[2].weight).first, plan.width());
}

TEST_F(Planned, tests_the_mean_of_what_lists_make_of_their_ratings_but_not_what_all_pairs_make) {
  evaluator_.metrics.requests = {{.name = "mae", .as = {}, .options = {.unit = Unit::list}},
                                 {.name = "mae", .as = {}, .options = {}}};
  SetUp();
  spec_.guardrails = {};
  spec_.secondary = {};
  spec_.primary = {{.metric = "mae/list", .mde = 0.1}};
  const PlannedExperiment plan = this->plan();
  const PlannedMetric& metric = metrics_->metrics().front();
  EXPECT_EQ(plan.metrics[0].better, Better::lower);
  EXPECT_EQ(plan.metrics[0].sum.width, metric.columns - 1);
  EXPECT_TRUE(plan.metrics[0].weight.is_count);
  ASSERT_EQ(plan.columns.size(), metric.columns) << "of the plan, each once";
  EXPECT_EQ(plan.columns[plan.metrics[0].weight.first - PlannedExperiment::columns_at], metric.column);
  spec_.primary = {{.metric = "mae", .mde = 0.1}};
  EXPECT_FALSE(PlannedExperiment::make(spec_, evaluator_, *metrics_));
}

}  // namespace
}  // namespace recmeter
