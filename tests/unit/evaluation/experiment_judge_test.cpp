// What a judge makes of looks in turn: rows that say what counts. [S10.28] to [S10.32].
#include "recmeter/evaluation/experiment_judge.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter {
namespace {

using enum Decision;

class ExperimentJudgeTest : public testing::Test {
 protected:
  ExperimentJudgeTest() { plan_for({"A", "B"}, {0.5, 0.5}); }

  void plan_for(std::vector<std::string> arms, std::vector<double> allocation, Duration before = Duration{0}) {
    judge_.reset();
    plan_.reset();
    spec_ = EvaluatorSpec();
    spec_.join.horizons = {Duration{60'000}};
    spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec_.metrics.requests = {{.name = "precision"}};
    ExperimentSpec& experiment = spec_.experiments.emplace_back();
    experiment.name = "e";
    experiment.arms = {.key = "v", .values = std::move(arms)};
    experiment.allocation = std::move(allocation);
    experiment.duration = Duration{looks * 3'600'000};
    experiment.horizon = Duration{60'000};
    experiment.cuped_before = before;
    experiment.primary = {{.metric = "precision@10", .mde = 0.2}};
    auto plan = EvaluatorPlan::make(spec_, Duration{0}, false, true);
    ASSERT_TRUE(plan) << plan.error().context;
    plan_.emplace(std::move(*plan));
    judge_.emplace(plan_->experiments.front(), "default", "hash");
  }

  // Arms of 200 users and lists a slot each; `lifts`: by how much of 2 they are better.
  ExperimentLook look(std::int64_t number, const std::vector<int>& lifts) const {
    const PlannedExperiment& planned = plan_->experiments.front();
    ExperimentLook out{.experiment = &planned,
                       .number = number,
                       .end = planned.look_time(number),
                       .incomplete = {},
                       .arms = {},
                       .uncut = {},
                       .metrics = {}};
    out.is_closed = number == looks;
    out.uncut.resize(1);
    auto& sums = out.metrics.emplace_back();
    for (std::size_t arm = 0; arm < lifts.size(); ++arm) {
      out.arms.push_back({.lists = 2'000, .users = 200});
      SlotSums& of = sums.emplace_back();
      for (std::size_t slot = 0; slot < 200; ++slot) {
        const auto value = static_cast<std::int64_t>(slot * (arm + 1) % 5) + lifts[arm];
        of.s[slot] = to_q32_wide(static_cast<double>(value));
        of.n[slot] = to_q32_wide(10);
      }
    }
    return out;
  }
  ExperimentRow said(const ExperimentLook& look) { return judge_->judge(look); }
  EventTime time_of(std::int64_t number) const { return plan_->experiments.front().look_time(number); }

  static constexpr std::int64_t looks = 6;

  EvaluatorSpec spec_;
  std::optional<EvaluatorPlan> plan_;
  std::optional<ExperimentJudge> judge_;
};

TEST_F(ExperimentJudgeTest, lets_the_first_decision_count_unless_nothing_can_be_concluded_now) {
  const Verdict ship_it{ship, "better:precision@10"};
  EXPECT_EQ(said(look(1, {0, 0})).counts, (CountsRow{{hold, "undecided"}, time_of(1), "B"}));
  EXPECT_EQ(said(look(2, {0, 2})).counts, (CountsRow{ship_it, time_of(2), "B"}));
  const ExperimentRow unsure = said(look(3, {0, 0}));
  EXPECT_EQ(unsure.verdict, (Verdict{hold, "undecided"}));
  EXPECT_EQ(unsure.counts, (CountsRow{ship_it, time_of(2), "B"}));
  ExperimentLook mixed = look(4, {0, 2});
  mixed.mixed_users = 50;
  EXPECT_EQ(said(mixed).counts, (CountsRow{{hold, "mixed_users"}, time_of(4), "B"}));
  EXPECT_EQ(said(look(5, {2, 0})).counts, (CountsRow{ship_it, time_of(2), "B"})) << "now it is worse";
  const ExperimentRow last = said(look(6, {0, 0}));
  EXPECT_EQ(last.verdict, (Verdict{stop, "no_effect"})) << "the last look bounds the same sums more narrowly";
  EXPECT_EQ(last.counts, (CountsRow{ship_it, time_of(2), "B"}));
  EXPECT_NE(render_json(last).find(R"(,"counts":{"verdict":"ship","reason":"better:precision@10","at":)"), std::string::npos);
}

// A slot's users in the time before: 10 lists each, of which `shares` of the arms, in tenths, were good.
void add_time_before(ExperimentLook& look, const std::vector<int>& tenths) {
  for (std::size_t arm = 0; arm < tenths.size(); ++arm) {
    SlotSums& of = look.metrics[0][arm];
    for (std::size_t slot = 0; slot < 200; ++slot) {
      of.x[slot] = to_q32_wide(tenths[arm] + static_cast<double>(slot % 3));
      of.p[slot] = to_q32_wide(10);
      of.m[slot] = to_q32_wide(1);
    }
  }
}

TEST_F(ExperimentJudgeTest, holds_for_good_where_the_arms_differed_before_the_start) {
  plan_for({"A", "B"}, {0.5, 0.5}, Duration{86'400'000});
  ExperimentLook alike = look(1, {0, 2}), apart = look(2, {0, 2}), later = look(3, {0, 2}), sampled = look(4, {0, 2});
  add_time_before(alike, {3, 3});
  add_time_before(apart, {3, 5});
  add_time_before(later, {3, 3});
  add_time_before(sampled, {3, 3});
  sampled.sample = 1;
  const ExperimentRow first = said(alike);
  EXPECT_EQ(first.counts.verdict, (Verdict{ship, "better:precision@10"}));
  const auto& before = first.metrics[0].comparisons[0].before;
  ASSERT_TRUE(before && before->log_e);
  EXPECT_LT(*before->log_e, 0);
  EXPECT_DOUBLE_EQ(*before->control, *before->arm);
  EXPECT_FALSE(before->flagged_at);
  const ExperimentRow second = said(apart);
  EXPECT_EQ(second.metrics[0].comparisons[0].before->flagged_at, time_of(2));
  EXPECT_EQ(second.counts, (CountsRow{{hold, "arms_differed_before:precision@10"}, time_of(2), "B"}))
      << "what was decided does not count";
  const ExperimentRow third = said(later);
  EXPECT_EQ(third.metrics[0].comparisons[0].before->flagged_at, time_of(2));
  EXPECT_EQ(third.verdict.reason, "arms_differed_before:precision@10");
  EXPECT_FALSE(said(sampled).metrics[0].comparisons[0].before) << "a sample does not know the time before as a whole";
}

TEST_F(ExperimentJudgeTest, tests_the_last_look_and_says_no_more_of_how_long_it_takes) {
  ExperimentLook early = look(1, {0, 0}), last = look(looks, {0, 0});
  for (ExperimentLook* at : {&early, &last}) {
    for (std::size_t slot = 0; slot < 12; ++slot) at->metrics[0][1].s[slot] += to_q32_wide(4);
  }
  const ComparisonRow before = said(early).metrics[0].comparisons[0], after = said(last).metrics[0].comparisons[0];
  EXPECT_TRUE(before.more);
  EXPECT_FALSE(after.more);
  EXPECT_EQ(before.comparison->evidence.log_e, after.comparison->evidence.log_e);
  EXPECT_LT(before.comparison->relative->cs->first, after.comparison->relative->cs->first);
  EXPECT_GT(before.comparison->relative->cs->second, after.comparison->relative->cs->second);
  EXPECT_LT(*after.comparison->evidence.mde_now, *before.comparison->evidence.mde_now);
}

TEST_F(ExperimentJudgeTest, holds_at_the_last_look_where_nothing_can_be_compared) {
  ExperimentLook last = look(looks, {0, 0});
  for (SlotSums& sums : last.metrics[0]) sums.s = {};
  const ExperimentRow row = said(last);
  EXPECT_EQ(row.metrics[0].comparisons[0].missing, Missing::no_events);
  EXPECT_EQ(row.counts.verdict, (Verdict{hold, "not_comparable:precision@10"}));
  EXPECT_FALSE(row.decided);
}

TEST_F(ExperimentJudgeTest, has_rows_whose_config_is_of_the_duration_too) {
  const std::string of_six = said(look(1, {0, 0})).config;
  EXPECT_EQ(of_six.size(), 16U);
  spec_.experiments.front().duration = Duration{(looks + 1) * 3'600'000};
  judge_.emplace(plan_->experiments.front(), "default", "hash");
  EXPECT_NE(said(look(1, {0, 0})).config, of_six);
}

TEST_F(ExperimentJudgeTest, says_of_which_of_several_arms_a_decision_was) {
  plan_for({"A", "B", "C"}, {0.4, 0.3, 0.3});
  EXPECT_EQ(said(look(1, {0, 0, 2})).counts.arm, "C");
  const ExperimentRow other = said(look(2, {0, 2, 0}));
  EXPECT_EQ(other.verdict.decision, ship);
  EXPECT_EQ(other.counts, (CountsRow{other.verdict, time_of(1), "C"})) << "B is better now, C was first";
  const auto read = read_experiment_row(render_json(other));
  ASSERT_TRUE(read) << read.error().context;
  EXPECT_EQ(read->counts, other.counts);
}

TEST_F(ExperimentJudgeTest, never_stops_without_lists_of_the_arm_and_of_the_control) {
  for (const std::size_t missing : {0U, 1U}) {
    ExperimentLook last = look(looks, {0, 0});
    last.arms[missing] = {};
    last.arms[1 - missing] = {.lists = 5, .users = 5};
    last.metrics[0][missing] = SlotSums();
    EXPECT_EQ(said(last).counts.verdict, (Verdict{hold, "no_data"})) << missing;
  }
  ExperimentLook none = look(looks, {0, 0});
  none.arms = {{}, {}};
  none.metrics[0] = {SlotSums(), SlotSums()};
  none.nobody_lists = 300;
  const ExperimentRow row = said(none);
  EXPECT_EQ(row.verdict, (Verdict{hold, "no_data"}));
  EXPECT_FALSE(row.decided);
}

TEST_F(ExperimentJudgeTest, of_several_arms_holds_that_without_lists_alone) {
  plan_for({"A", "B", "C"}, {0.5, 0.49, 0.01});
  ExperimentLook at = look(2, {0, 2, 0});
  at.arms[2] = {};
  at.metrics[0][2] = SlotSums();
  const ExperimentRow row = said(at);
  EXPECT_EQ(row.counts, (CountsRow{{ship, "better:precision@10"}, time_of(2), "B"}));
  EXPECT_EQ(row.arm_verdicts[1].second, (Verdict{hold, "no_data"}));
}

TEST_F(ExperimentJudgeTest, flags_a_wrong_split_of_few_users_at_its_first_look_and_for_good) {
  ExperimentLook wrong = look(2, {0, 2});
  wrong.arms[0].users = 120;
  EXPECT_FALSE(said(look(1, {0, 0})).sample_ratio.flagged_at);
  const ExperimentRow row = said(wrong);
  EXPECT_EQ(row.sample_ratio.flagged_at, time_of(2)) << row.sample_ratio.log_e;
  EXPECT_EQ(row.counts, (CountsRow{{hold, "srm"}, time_of(2), "B"}));
  EXPECT_EQ(said(look(3, {0, 2})).counts, (CountsRow{{hold, "srm"}, time_of(3), "B"}));
}

}  // namespace
}  // namespace recmeter
