#include "recmeter/evaluation/experiment_judge.h"

#include <algorithm>
#include <cmath>

#include "evaluation/rule_hash.h"
#include "recmeter/experiment/discovery.h"
#include "recmeter/experiment/sample_ratio.h"

namespace recmeter {

namespace {

// Of these reasons nothing can be concluded; others are named. [S10.30].
bool forbids_conclusions(const std::string& reason) {
  return reason == "start" || reason == "gap" || reason == "experiment_users";
}

// Of a sample of members the time before is not whole: there is no CUPED. [S10.8].
SlotSums without_before(SlotSums sums) {
  sums.x = sums.p = sums.m = {};
  return sums;
}

// The duration is part of what numbers mean: the last look is tested. [S10.35].
std::string config_of(const std::string& config, const ExperimentSpec& spec) {
  return rule_hash(config + " duration " + std::to_string(spec.duration.ms));
}

SlotSums time_before(const SlotSums& sums) {
  return {.s = sums.x, .n = sums.p};
}

void take(const Compared& compared, ComparisonRow& row) {
  if (compared) {
    row.comparison = *compared;
  } else {
    row.missing = compared.error();
  }
}

// Of what the arm's lists would bring in without the cap.
std::optional<double> capped_share(const SlotSums& sums, Int128 uncut) {
  if (uncut == 0) return std::nullopt;
  return from_q32(uncut - total_of(sums.s)) / from_q32(uncut);
}

}  // namespace

ExperimentJudge::ExperimentJudge(const PlannedExperiment& experiment, std::string evaluator, const std::string& config)
    : experiment_(experiment),
      evaluator_(std::move(evaluator)),
      config_(config_of(config, *experiment.spec)),
      order_{experiment.spec->arms.control},
      log_e_(experiment.metrics.size()),
      differed_(experiment.metrics.size()) {
  const std::size_t arms = experiment.spec->arms.values.size();
  for (std::size_t a = 0; a < arms; ++a) {
    if (a != experiment.spec->arms.control) order_.push_back(a);
  }
  for (auto& arms_of_metric : log_e_) arms_of_metric.resize(arms);
  for (auto& arms_of_metric : differed_) arms_of_metric.resize(arms);
}

ExperimentRow ExperimentJudge::judge(const ExperimentLook& look) {
  const ExperimentSpec& spec = *experiment_.spec;
  ExperimentRow row{.evaluator = evaluator_,
                    .experiment = spec.name,
                    .config = config_,
                    .start = spec.start,
                    .end = look.end,
                    .horizon = spec.horizon,
                    .look = look.number,
                    .is_closed = look.is_closed,
                    .incomplete = look.incomplete,
                    .mixed_users = look.mixed_users,
                    .mixed_lists = look.mixed_lists,
                    .other_lists = look.other_lists,
                    .nobody_lists = look.nobody_lists,
                    .members_sampled = std::ldexp(1, -look.sample)};
  count_members(look, row);
  compare(look, row);
  discover(row);
  decide(row);
  return row;
}

void ExperimentJudge::count_members(const ExperimentLook& look, ExperimentRow& row) {
  const ExperimentSpec& spec = *experiment_.spec;
  std::vector<std::uint64_t> counts;
  std::vector<double> shares;
  for (const std::size_t arm : order_) {
    const ExperimentLook::Arm& of = look.arms[arm];
    row.arms.push_back(
        {.arm = spec.arms.values[arm], .lists = of.lists, .users = of.users, .allocation = spec.allocation[arm]});
    counts.push_back(spec.assign == Assign::user ? of.users : of.lists);
    shares.push_back(spec.allocation[arm]);
  }
  sample_ratio_.log_e = sample_ratio_log_e(counts, shares);
  sample_ratio_.max = std::max(sample_ratio_.max, sample_ratio_.log_e);
  if (!sample_ratio_.flagged_at && sample_ratio_.log_e >= sample_ratio_alarm) sample_ratio_.flagged_at = look.end;
  row.sample_ratio = sample_ratio_;
}

// What may go wrong is shared among the tests of a role; secondary metrics are guarded by the discovery rate. [S10.25].
ComparisonRule ExperimentJudge::rule_for(const TestedMetric& metric) const {
  const ExperimentSpec& spec = *experiment_.spec;
  std::size_t tests = 1;
  if (metric.role == TestRole::primary) tests = spec.primary.size() * (order_.size() - 1);
  if (metric.role == TestRole::guardrail) tests = spec.guardrails.size() * (order_.size() - 1);
  return {.is_absolute = metric.test->is_absolute,
          .is_paired = spec.assign == Assign::list,
          .mde = metric.test->mde,
          .alpha = spec.alpha,
          .alpha_all = spec.alpha / static_cast<double>(tests),
          .range = metric.range};
}

// The last look is a test of its own.
ComparisonRule ExperimentJudge::rule_at(const ExperimentLook& look, const TestedMetric& metric) const {
  ComparisonRule rule = rule_for(metric);
  if (look.is_closed) rule.look = experiment_.last_look() == 1 ? PlannedLook::only : PlannedLook::last;
  return rule;
}

void ExperimentJudge::compare(const ExperimentLook& look, ExperimentRow& row) {
  for (std::size_t m = 0; m < experiment_.metrics.size(); ++m) {
    const TestedMetric& tested = experiment_.metrics[m];
    MetricRow& metric = row.metrics.emplace_back(MetricRow{.metric = tested.test->metric,
                                                           .role = tested.role,
                                                           .is_higher_better = tested.better == Better::higher,
                                                           .is_absolute = tested.test->is_absolute});
    const bool is_known = look.sample == 0 || !tested.is_per_user;
    if (experiment_.draft) {
      compare_draft(look, metric);
      continue;
    }
    for (const std::size_t arm : order_) {
      metric.values.push_back(is_known ? ratio_of(look.metrics[m][arm]) : std::nullopt);
    }
    for (std::size_t a = 1; a < order_.size(); ++a) metric.comparisons.push_back(compare(look, m, order_[a]));
    for (const std::size_t arm : order_) {
      if (tested.uncut) metric.capped_share.push_back(capped_share(look.metrics[m][arm], look.uncut[m][arm]));
    }
  }
}

// Whose items people want, whichever team began; each arm's value is how much they prefer it to the other.
void ExperimentJudge::compare_draft(const ExperimentLook& look, MetricRow& metric) {
  SlotSums sums = look.metrics.front().front();
  sums += look.metrics.front().back();
  const auto preference = ratio_of(sums);
  metric.values = {preference ? std::optional(0 - *preference) : std::nullopt, preference};
  ComparisonRow row{.arm = experiment_.spec->arms.values[order_.back()], .draft = look.draft};
  take(compare_with_zero(sums, rule_at(look, experiment_.metrics.front())), row);
  finish(look, 0, order_.back(), row);
  metric.comparisons.push_back(std::move(row));
}

ComparisonRow ExperimentJudge::compare(const ExperimentLook& look, std::size_t metric, std::size_t arm) {
  const ComparisonRule rule = rule_at(look, experiment_.metrics[metric]);
  const std::vector<SlotSums>& sums = look.metrics[metric];
  ComparisonRow row{.arm = experiment_.spec->arms.values[arm], .comparison = {}};
  if (look.sample == 0) {
    take(compare_arms(sums[order_.front()], sums[arm], rule), row);
  } else if (!experiment_.metrics[metric].is_per_user) {
    take(compare_arms(without_before(sums[order_.front()]), without_before(sums[arm]), rule), row);
  }
  row.before = compare_before(look, metric, arm);
  finish(look, metric, arm, row);
  return row;
}

// A difference that was there before the start is no effect of what is tested, and CUPED would take it out without a word. A
// sample of members does not know the time before as a whole. [S10.38].
std::optional<BeforeRow> ExperimentJudge::compare_before(const ExperimentLook& look, std::size_t metric, std::size_t arm) {
  constexpr double experiments_of_one_alarm = 50;  // times 1 / alpha
  const TestedMetric& tested = experiment_.metrics[metric];
  if (!experiment_.has_before() || tested.role == TestRole::secondary || look.sample > 0) return std::nullopt;
  const SlotSums control = time_before(look.metrics[metric][order_.front()]);
  const SlotSums of_arm = time_before(look.metrics[metric][arm]);
  BeforeRow row{.control = ratio_of(control), .arm = ratio_of(of_arm)};
  const ComparisonRule rule = rule_for(tested);
  std::optional<EventTime>& flagged_at = differed_[metric][arm];
  if (const Compared before = compare_arms(control, of_arm, rule)) {
    row.log_e = before->evidence.log_e;
    if (!flagged_at && *row.log_e >= std::log(experiments_of_one_alarm / rule.alpha_all)) flagged_at = look.end;
  }
  row.flagged_at = flagged_at;
  return row;
}

// What is said over all looks, and what is missing.
void ExperimentJudge::finish(const ExperimentLook& look, std::size_t metric, std::size_t arm, ComparisonRow& row) {
  std::optional<double>& largest = log_e_[metric][arm];
  if (row.comparison) {
    const double log_e = row.comparison->evidence.log_e;
    largest = std::max(largest.value_or(log_e), log_e);
    if (!row.comparison->is_few && !look.is_closed)
      row.more = more(look, *row.comparison, rule_for(experiment_.metrics[metric]));
  }
  if (largest) row.p_always = p_always(*largest);
}

// In whole looks; empty where it is longer than anybody waits.
std::optional<Duration> ExperimentJudge::more(const ExperimentLook& look, const Comparison& comparison,
                                              const ComparisonRule& rule) const {
  constexpr double looks_max = 1e9;
  const Duration every = experiment_.spec->every;
  const double share = more_time(comparison.evidence.variance, tau_of(rule), rule.alpha_all);
  const double looks =
      std::ceil(share * static_cast<double>((look.end - experiment_.spec->start).ms) / static_cast<double>(every.ms));
  if (!(looks < looks_max)) return std::nullopt;
  return Duration{static_cast<std::int64_t>(looks) * every.ms};
}

void ExperimentJudge::discover(ExperimentRow& row) const {
  std::vector<ComparisonRow*> secondary;
  for (MetricRow& metric : row.metrics) {
    if (metric.role != TestRole::secondary) continue;
    for (ComparisonRow& comparison : metric.comparisons) secondary.push_back(&comparison);
  }
  // Few events and nothing at all count among the tested, with an e of at most 1.
  std::vector<std::optional<double>> log_e;
  for (const ComparisonRow* of : secondary) {
    auto& one = log_e.emplace_back();
    if (of->comparison) one = of->comparison->evidence.log_e;
    if (of->comparison && of->comparison->is_few) one = std::min(*one, 0.0);
  }
  const std::vector<bool> found = discoveries(log_e, experiment_.spec->fdr);
  for (std::size_t i = 0; i < secondary.size(); ++i) secondary[i]->discovery = found[i];
}

void ExperimentJudge::decide(ExperimentRow& row) {
  const ExperimentSpec& spec = *experiment_.spec;
  std::uint64_t users = 0;
  for (const ArmRow& arm : row.arms) users += arm.users;
  ExperimentState state{.is_ratio_wrong = sample_ratio_.flagged_at.has_value(),
                        .is_mixed = static_cast<double>(row.mixed_users) > spec.mixed_share * static_cast<double>(users),
                        .is_incomplete = std::any_of(row.incomplete.begin(), row.incomplete.end(), forbids_conclusions),
                        .is_long_enough = row.end - row.start >= experiment_.min_duration,
                        .is_last = row.is_closed};
  std::vector<Verdict> verdicts;
  for (std::size_t a = 0; a + 1 < order_.size(); ++a) {
    std::vector<TestResult> tests;
    for (std::size_t m = 0; m < row.metrics.size(); ++m) {
      const MetricRow& metric = row.metrics[m];
      const ComparisonRule rule = rule_for(experiment_.metrics[m]);
      tests.push_back({.metric = metric.metric,
                       .role = metric.role,
                       .is_higher_better = metric.is_higher_better,
                       .mde = rule.mde,
                       .comparison = metric.comparisons[a].comparison,
                       .is_absolute = rule.is_absolute,
                       .differed_before = differed_[m][order_[a + 1]].has_value()});
    }
    state.has_lists = row.arms.front().lists > 0 && row.arms[a + 1].lists > 0;
    verdicts.push_back(verdict_of(state, tests));
    row.arm_verdicts.emplace_back(spec.arms.values[order_[a + 1]], verdicts.back());
  }
  row.verdict = verdict_of_arms(verdicts);
  row.decided = decided_;
  row.counts = counts_of(row);
  if (decided_ || row.verdict.decision == Decision::hold) return;
  decided_ = {.end = row.end, .verdict = row.verdict, .arm = row.counts.arm};
  row.decided = decided_;
}

}  // namespace recmeter
