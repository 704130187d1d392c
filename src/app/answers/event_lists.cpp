#include "app/answers/event_lists.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "app/run/table_columns.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/render.h"

namespace recmeter {

EventLists::EventLists(std::string by, Config& config) : by_(std::move(by)), config_(config), spec_(config.spec) {
  const auto& horizons = spec_.join.horizons;
  tally_.horizon = static_cast<std::size_t>(std::ranges::max_element(horizons) - horizons.begin());
  if (by_.empty()) return;
  auto& segments = config.spec.segments;
  const auto is_key = [&](const SegmentSpec& segment) { return segment.keys == std::vector{by_}; };
  const auto place = std::ranges::find_if(segments, is_key);
  tally_.segments = {static_cast<std::size_t>(place - segments.begin())};
  if (place == segments.end()) segments.push_back({.keys = {by_}, .keep = {}});
}

Result<LogReading> EventLists::plan(const AskedLog& log, const PlanRule& rule, ExperimentPlan& planned) {
  const std::string horizon = R"("horizon":")" + render_duration(spec_.join.horizons[tally_.horizon]) + '"';
  PlanLists lists;
  QuietReplay quiet{.wants_lists = true, .begin = {}};
  quiet.planned = [&](EvaluatorPlan& plan) { plan.tally_lists({.horizon = tally_.horizon}); };
  quiet.begin = [&](const EvaluatorPlan&, ReplayOptions& options) -> RowSink* {
    lists = {};
    options.lists_tally = [&](const ListTally& tally) { of_run_ = tally; };
    options.scored_lists = [&](const ScoredLine& line) -> Result<void> {
      if (line.json.find(horizon) == std::string::npos) return {};
      return lists.add(by_, line.json);
    };
    return nullptr;
  };
  quiet.end = [&](const EvaluatorPlan& plan) {
    ExperimentPlan found = lists.plan(rule);
    if (found.metrics.empty()) return;
    std::set<std::string> shown;
    const ListLengths& lengths = of_run_.lengths();
    for (const std::size_t column :
         table_columns(plan.metrics, table_cutoff(spec_.metrics.cutoffs, lengths), lengths.longest(), spec_.join.actions)) {
      const PlannedMetric& metric = plan.metrics.metrics()[column];
      if (is_mean_over_lists(metric)) shown.insert(metric.key);
    }
    std::erase_if(found.metrics, [&](const MetricPlanRow& row) { return !shown.contains(row.metric); });
    planned = std::move(found);
  };
  return read_log(config_, log, quiet);
}

Result<LogReading> EventLists::compare(const AskedLog& log, ComparedLists& lists) {
  QuietReplay quiet{.begin = {}};
  quiet.planned = [&](EvaluatorPlan& plan) {
    for (std::size_t metric = 0; metric < plan.metrics.metrics().size(); ++metric) {
      if (is_mean_over_lists(plan.metrics.metrics()[metric])) tally_.metrics.push_back(metric);
    }
    plan.tally_lists(tally_);
  };
  quiet.begin = [&](const EvaluatorPlan&, ReplayOptions& options) -> RowSink* {
    options.lists_tally = [&](const ListTally& tally) { of_run_ = tally; };
    return nullptr;
  };
  quiet.end = [&](const EvaluatorPlan& plan) { take(plan, lists); };
  return read_log(config_, log, quiet);
}

void EventLists::take(const EvaluatorPlan& plan, ComparedLists& lists) const {
  const auto metrics = plan.metrics.metrics();
  const std::string horizon = render_duration(spec_.join.horizons[tally_.horizon]);
  for (const auto& [value, arm] : of_run_.arms(0)) {
    lists.paired.add_times(value, arm.times);
    for (std::size_t m = 0; m < arm.sums.size(); ++m) {
      lists.paired.add_sums(horizon, value, metrics[tally_.metrics[m]].key, arm.sums[m]);
    }
  }
  for (const std::size_t metric : tally_.metrics) lists.better[metrics[metric].key] = metrics[metric].definition->better;
  lists.has_too_many = of_run_.has_too_many(0);
  lists.users = of_run_.arms_of_users(0);
  lists.is_acted_on = of_run_.acted_on() > 0;
  const std::vector<std::uint32_t>& cutoffs = spec_.metrics.cutoffs;
  const std::uint32_t cutoff =
      cutoff_of_hits(table_cutoff(cutoffs, of_run_.lengths_of_arms(0)), cutoffs, of_run_.hit_ranks());
  const auto columns = table_columns(plan.metrics, cutoff, of_run_.lengths().longest(), spec_.join.actions);
  for (const std::size_t column : columns) lists.shown.insert(metrics[column].key);
  if (const auto compared = compared_column(plan.metrics, columns)) {
    lists.headline = metrics[*compared].key;
    lists.headline_better = metrics[*compared].definition->better;
  }
}

}  // namespace recmeter
