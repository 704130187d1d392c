#include "recmeter/evaluation/planned_experiment.h"

#include <algorithm>
#include <string>

namespace recmeter {

namespace {

Error refused(const ExperimentSpec& spec, const std::string& cause, const std::string& remedy) {
  return {Errc::config_invalid, "experiments." + spec.name + ": " + cause + "; " + remedy};
}

// Whether it is made of sums, and the value is the mean of what these make of each list.
bool is_mean_of_own_values(const PlannedMetric& metric) {
  return metric.definition->family == Family::pooled && metric.options.unit == Unit::list;
}

// Whether the value is a quotient of two sums over lists.
bool is_testable(const PlannedMetric& metric) {
  if (is_mean_of_own_values(metric)) return true;
  switch (metric.definition->family) {
    case Family::list_mean:
    case Family::list_share:
    case Family::pooled: break;
    case Family::audience: return metric.definition->per_user != nullptr;
    case Family::quantile:
    case Family::exposure: return false;
  }
  if (metric.pooled != nullptr) return metric.pooled->ratio_width > 0;
  return metric.options.unit == Unit::list;
}

// Says what to test in place of a metric that is no quotient of sums.
std::string in_place_of(const PlannedMetric& metric) {
  switch (metric.definition->family) {
    case Family::quantile:
      return "a quantile has no variance by users; test the share of slow lists: add {name: latency, slower_than: 500} to "
             "metrics.names, and name its key here";
    case Family::exposure:
    case Family::audience: return "it grows with the traffic of an arm; watch rarefied_items in rows, which does not";
    default: break;
  }
  if (metric.definition->is_of_ratings)
    return "watch it in rows, and test a mean over lists of the same ratings, as ndcg_list";
  return "test a metric of unit list, or of unit pooled that is a quotient of two sums";
}

class Planner {
 public:
  Planner(PlannedExperiment& plan, const MetricPlan& metrics) : plan_(plan), metrics_(metrics) {}

  void add(const std::vector<MetricTest>& tests, TestRole role) {
    for (std::size_t i = 0; i < tests.size(); ++i) add(tests[i], role, i);
  }

  [[nodiscard]] std::vector<RefusedTest> take_refused() { return std::move(refused_); }

 private:
  void add(const MetricTest& test, TestRole role, std::size_t number) {
    const ExperimentSpec& spec = *plan_.spec;
    const auto refuse = [&](std::string cause, std::string remedy) {
      refused_.push_back(
          {.role = role, .number = number, .metric = test.metric, .cause = std::move(cause), .remedy = std::move(remedy)});
    };
    const auto planned = metrics_.metrics();
    const auto metric = std::ranges::find(planned, test.metric, &PlannedMetric::key);
    if (metric == planned.end()) {
      return refuse("metric " + test.metric + " is not configured under metrics.names",
                    "add it there, or correct the key: a cutoff is part of it, as in precision@10");
    }
    if (!is_testable(*metric)) {
      return refuse("metric " + test.metric + " is no mean over lists or users; it can be reported, not tested",
                    in_place_of(*metric));
    }
    if (!test.is_absolute && metric->definition->low < 0) {
      return refuse("mde must be absolute: " + test.metric + " can be negative",
                    "write mde: {absolute: 0.01}, and margin likewise");
    }
    const UserForm* per_user = metric->definition->per_user;
    if (per_user != nullptr && spec.assign != Assign::user) {
      return refuse(test.metric + " needs assign: user", "test a metric of lists");
    }
    plan_.metrics.push_back(per_user != nullptr ? place(test, role, *metric, *per_user) : place(test, role, *metric));
    plan_.metrics.back().range = {.low = metric->definition->low, .high = metric->definition->high};
    if (plan_.acting.size() > PlannedExperiment::acting_max) {
      refuse("users_acting is tested of more than 8 actions", "leave some out");
    }
  }

  TestedMetric place(const MetricTest& test, TestRole role, const PlannedMetric& metric) {
    const Better better = test.better.value_or(metric.definition->better);
    TestedMetric tested{.test = &test, .role = role, .better = better, .sum = {}, .weight = {}};
    if (is_mean_of_own_values(metric)) {  // the lists with a value, then the sum of the values
      tested.sum = {.first = row_place(metric.column + 1, metric.columns - 1), .width = metric.columns - 1};
      tested.weight = {.first = row_place(metric.column, 1), .is_count = true};
      return tested;
    }
    const std::size_t width = metric.pooled != nullptr ? metric.pooled->ratio_width : 1;
    tested.sum = {.first = row_place(metric.column, width), .width = width};
    if (metric.pooled != nullptr) {
      tested.weight = {.first = row_place(metric.column + width, width), .width = width};
      if (metric.options.cap)
        tested.uncut = {.first = row_place(metric.column + metric.pooled->uncut_at, width), .width = width};
    } else if (metric.mean_column != PlannedMetric::no_column) {
      tested.weight = {.first = row_place(metric.mean_column, 1), .is_count = true};
    } else {
      tested.weight = {.first = PlannedExperiment::lists_at, .is_count = true};
    }
    return tested;
  }

  TestedMetric place(const MetricTest& test, TestRole role, const PlannedMetric& metric, const UserForm& form) {
    TestedMetric tested{.test = &test,
                        .role = role,
                        .better = test.better.value_or(metric.definition->better),
                        .sum = {.first = PlannedExperiment::lists_at, .is_count = true},
                        .weight = {.first = PlannedExperiment::users_at, .is_count = true},
                        .is_per_user = true};
    if (form.total == UserTotal::lists) return tested;
    const bool is_acting = form.total == UserTotal::is_acting;
    plan_.sums_users = true;
    const std::size_t width = form.uncut_at > 0 ? form.uncut_at : form.columns;
    const std::size_t first = metrics_.columns() + metric.user_column;
    tested.sum = {.first = row_place(first, width), .width = width, .is_count = is_acting};
    if (metric.options.cap) tested.uncut = {.first = row_place(first + form.uncut_at, width), .width = width};
    const std::size_t column = tested.sum.first - PlannedExperiment::columns_at;
    if (is_acting && std::ranges::find(plan_.acting, column) == plan_.acting.end()) plan_.acting.push_back(column);
    return tested;
  }

  // Where columns of the plan stand in a row of sums.
  std::size_t row_place(std::size_t first, std::size_t width) {
    auto& columns = plan_.columns;
    const auto has_all = [&](std::size_t at) {
      for (std::size_t c = 0; c < width; ++c) {
        if (at + c >= columns.size() || columns[at + c] != first + c) return false;
      }
      return true;
    };
    std::size_t at = 0;
    while (at < columns.size() && !has_all(at)) ++at;
    if (at == columns.size()) {
      for (std::size_t c = 0; c < width; ++c) columns.push_back(first + c);
    }
    return PlannedExperiment::columns_at + at;
  }

  PlannedExperiment& plan_;
  const MetricPlan& metrics_;
  std::vector<RefusedTest> refused_;
};

}  // namespace

namespace {

// Of two teams that drafted lists, one number is tested: how much more often people want the arm's items.
Result<void> plan_draft(PlannedExperiment& plan, const EvaluatorSpec& evaluator, const MetricPlan& metrics,
                        std::span<const std::string> teams) {
  const ExperimentSpec& spec = *plan.spec;
  const auto action = std::ranges::find(evaluator.join.actions, spec.draft->action, &Action::name);
  if (action == evaluator.join.actions.end()) {
    return tl::unexpected(refused(spec, "team_draft is of " + spec.draft->action + ", which join.actions has not",
                                  "name one of join.actions: team_draft{action=click}"));
  }
  if (spec.primary.size() != 1 || !spec.guardrails.empty() || !spec.secondary.empty()) {
    return tl::unexpected(refused(spec, "a team draft has one metric, team_draft, as its only primary",
                                  "write primary: [{metric: \"team_draft{action=click}\", mde: {absolute: 0.02}}]"));
  }
  if (!spec.primary.front().is_absolute) {
    return tl::unexpected(refused(spec, "mde must be absolute: " + spec.primary.front().metric + " can be negative",
                                  "write mde: {absolute: 0.02}"));
  }
  const auto number_of = [&](const std::string& team) {
    return static_cast<std::uint8_t>(std::ranges::find(teams, team) - teams.begin() + 1);
  };
  const auto asked =
      std::ranges::find(metrics.asked_actions(), action - evaluator.join.actions.begin(), &AskedAction::action);
  plan.draft = {.teams = {number_of(spec.arms.values[0]), number_of(spec.arms.values[1])},
                .action = static_cast<std::size_t>(asked - metrics.asked_actions().begin())};
  plan.metrics.push_back({.test = &spec.primary.front(),
                          .role = TestRole::primary,
                          .better = spec.primary.front().better.value_or(Better::higher),
                          .sum = {.first = PlannedExperiment::preference_at, .is_count = true},
                          .weight = {.first = PlannedExperiment::credited_at, .is_count = true}});
  return {};
}

std::vector<RefusedTest> plan_tests(PlannedExperiment& plan, const MetricPlan& metrics) {
  Planner planner(plan, metrics);
  planner.add(plan.spec->primary, TestRole::primary);
  planner.add(plan.spec->guardrails, TestRole::guardrail);
  planner.add(plan.spec->secondary, TestRole::secondary);
  return planner.take_refused();
}

}  // namespace

Result<PlannedExperiment> PlannedExperiment::make(const ExperimentSpec& spec, const EvaluatorSpec& evaluator,
                                                  const MetricPlan& metrics, std::span<const std::string> teams) {
  const std::vector<Duration>& horizons = evaluator.join.horizons;
  const auto horizon = std::ranges::find(horizons, spec.horizon);
  if (horizon == horizons.end()) {
    return tl::unexpected(refused(spec, "horizon is not one of join.horizons", "add it there, or write one that is"));
  }
  if (spec.assign == Assign::user && evaluator.join.key.by != JoinKey::By::user) {
    return tl::unexpected(
        refused(spec, "assign: user needs join.key: user", "write assign: list where lists are randomised"));
  }
  PlannedExperiment plan{.spec = &spec,
                         .horizon = static_cast<std::size_t>(horizon - horizons.begin()),
                         .min_duration = spec.min_duration,
                         .age = spec.horizon + evaluator.join.skew,
                         .metrics = {},
                         .columns = {},
                         .acting = {}};
  if (spec.draft) {
    if (auto planned = plan_draft(plan, evaluator, metrics, teams); !planned) {
      return tl::unexpected(std::move(planned).error());
    }
    return plan;
  }
  const std::vector<RefusedTest> refused_tests = plan_tests(plan, metrics);
  if (refused_tests.empty()) return plan;
  return tl::unexpected(refused(spec, refused_tests.front().cause, refused_tests.front().remedy));
}

std::vector<RefusedTest> PlannedExperiment::refused_tests(const ExperimentSpec& spec, const MetricPlan& metrics) {
  if (spec.draft) return {};
  PlannedExperiment plan{.spec = &spec, .min_duration = {}, .age = {}, .metrics = {}, .columns = {}, .acting = {}};
  return plan_tests(plan, metrics);
}

EventTime PlannedExperiment::next_complete_after(EventTime w) const {
  if (w < complete_at(1)) return complete_at(1);
  if (w >= complete_at(last_look())) return plus_infinity;
  return complete_at((w - complete_at(0)).ms / spec->every.ms + 1);
}

}  // namespace recmeter
