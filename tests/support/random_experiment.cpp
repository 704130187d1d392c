#include "support/random_experiment.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/batch_metrics.h"
#include "support/dice.h"

namespace recmeter::support {

namespace {

// The metrics that the oracle knows how to test: of lists, or of users.
std::vector<std::string> testable(const EvaluatorSpec& spec, bool of_users) {
  std::vector<std::string> keys;
  for (const MetricColumn& column : metric_columns(spec)) {
    if (column.definition->form == MetricForm::mean_over_users && of_users) keys.push_back(column.key);
    const bool is_income = column.definition->name == "income" || column.definition->name == "reward";
    const bool is_list = column.options.unit == Unit::list && column.definition->score != nullptr;
    const bool is_pooled_recall = column.options.unit == Unit::pooled && column.definition->name == "recall" &&
                                  column.options.recall_denominator == RecallDenominator::relevant;
    const bool is_own = column.definition->form == MetricForm::of_all_together && column.options.unit == Unit::list;
    const bool is_mean = column.definition->form == MetricForm::mean_over_lists ||
                         column.definition->form == MetricForm::share_of_lists || is_pooled_recall;
    if (is_own || is_income || (is_mean && (is_list || is_pooled_recall))) keys.push_back(column.key);
  }
  return keys;
}

void make_draft(Dice& dice, const EvaluatorSpec& spec, ExperimentSpec& experiment) {
  std::vector<Action> actions = spec.join.actions;
  std::erase_if(actions, [](const Action& action) { return action.on_list; });
  experiment.draft = TeamDraft{.action = dice.pick(actions).name};
  experiment.arms = {.key = "", .values = {"A", "B"}, .control = 0};
  experiment.allocation = {0.5, 0.5};
  experiment.assign = Assign::list;
  experiment.cuped_before = Duration{0};
  experiment.primary = {{.metric = "team_draft{action=" + experiment.draft->action + "}", .mde = 0.1, .is_absolute = true}};
}

ExperimentSpec random_experiment(Dice& dice, const EvaluatorSpec& spec, std::int64_t first) {
  ExperimentSpec experiment;
  experiment.name = "e" + std::to_string(spec.experiments.size());
  experiment.arms.key = dice.percent(80) ? "v" : "s";
  experiment.arms.values =
      dice.percent(50) ? std::vector<std::string>{"A", "B"} : std::vector<std::string>{"B", "A", "(none)"};
  experiment.arms.control = dice.below(experiment.arms.values.size());
  const auto arms = static_cast<double>(experiment.arms.values.size());
  experiment.allocation.assign(experiment.arms.values.size(), 1 / arms);
  experiment.every = dice.pick<Duration>({{1000}, {7000}, {30000}, {200000}});
  experiment.duration = Duration{experiment.every.ms * dice.between(1, 40)};
  const std::int64_t start = first + dice.between(-60'000, 300'000);
  experiment.start = EventTime{start / experiment.every.ms * experiment.every.ms};
  experiment.horizon = dice.pick(spec.join.horizons);
  if (spec.join.key.by == JoinKey::By::list || dice.percent(25)) experiment.assign = Assign::list;
  if (experiment.assign == Assign::user && dice.percent(50)) {
    experiment.cuped_before = Duration{dice.between(1000, 300'000)};
    // In half of the cases late enough for lists before it to have had their horizon.
    if (experiment.cuped_before.ms % 2 == 0) {
      experiment.start.ms += (experiment.horizon.ms + experiment.every.ms - 1) / experiment.every.ms * experiment.every.ms;
    }
  }
  if (dice.percent(20)) {
    make_draft(dice, spec, experiment);
    return experiment;
  }
  const std::vector<std::string> metrics = testable(spec, experiment.assign == Assign::user);
  for (auto* tests : {&experiment.primary, &experiment.guardrails, &experiment.secondary}) {
    const std::size_t count = tests == &experiment.primary ? 1 : dice.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string metric = dice.pick(metrics);
      const auto columns = metric_columns(spec);
      const auto column = std::ranges::find(columns, metric, &MetricColumn::key);
      const bool can_be_negative = column->definition->low < 0;
      tests->push_back({.metric = metric, .mde = 0.1, .is_absolute = can_be_negative || dice.percent(50)});
    }
  }
  return experiment;
}

}  // namespace

EvaluatorSpec with_experiments(EvaluatorSpec spec, std::uint64_t seed, const RandomLog& log) {
  Dice dice(seed + 77);
  if (testable(spec, false).empty()) spec.metrics.requests.push_back({"precision", "tested", {}});
  if (spec.join.key.by == JoinKey::By::user && dice.percent(30)) {
    spec.metrics.requests = {{"recall", "tested", {.unit = Unit::pooled}}};
  } else if (dice.percent(15)) {
    spec.metrics.requests = {{"error_rate", "tested", {.unit = Unit::list}}};
  } else if (spec.join.credit != Credit::every_touch && dice.percent(60)) {
    spec.join.actions.front().from.reset();
    spec.join.actions.front().is_from_mean = false;
    spec.metrics.requests = {{"income", "tested", {.action = spec.join.actions.front().name, .cap = 0.5}}};
  }
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& lines : log.lines) {
    for (const LogLine& line : lines) first = std::min(first, line.ts);
  }
  if (first == std::numeric_limits<std::int64_t>::max()) first = 1'700'000'000'000;  // of a log without a line
  for (std::size_t count = 1 + dice.below(2); count > 0; --count) {
    spec.experiments.push_back(random_experiment(dice, spec, first));
  }
  spec.limits.experiment_users = dice.pick<std::size_t>({1, 2, 4, 20'000'000, 20'000'000});
  return spec;
}

}  // namespace recmeter::support
