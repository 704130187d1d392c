#include "app/why/asked_metric.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/console/text_layout.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter::why {

namespace {

AttributionRule parts_rule_of(const MetricDefinition& metric, double confidence) {
  return {.unit = part_unit({metric.low, metric.high}), .confidence = confidence};
}

Result<MetricPlan> plan_of(const EvaluatorSpec& spec) {
  auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  if (!plan) return tl::unexpected(std::move(plan).error());
  return std::move(plan->metrics);
}

const PlannedMetric* find(const MetricPlan& plan, const std::string& key) {
  const auto at = std::ranges::find(plan.metrics(), key, &PlannedMetric::key);
  return at == plan.metrics().end() ? nullptr : &*at;
}

}  // namespace

MetricRule rule_of(const EvaluatorSpec& spec, const PlannedMetric& metric) {
  MetricRule rule{.parts = parts_rule_of(*metric.definition, spec.metrics.confidence), .cutoff = metric.cutoff};
  if (has_rank_parts(metric)) rule.ranks = rank_form(metric.definition->name);
  if (has_item_group_parts(metric) && item_groups_of(spec) > 0) {
    rule.item_group = spec.catalog->groups.attribute;
    rule.item_groups = spec.catalog->groups.names;
    rule.item_groups_id = spec.catalog->groups.id;
  }
  return rule;
}

Result<AskedMetric> asked_metric(const EvaluatorSpec& spec, const std::string& key, const std::string& window) {
  AskedMetric out{.spec = spec, .rule = {}};
  out.spec.experiments.clear();
  out.spec.metrics.curves = false;
  out.spec.metrics.shown_counts = {.ranks = true, .item_groups = item_groups_of(spec)};
  if (!window.empty()) {
    std::vector<std::string> names;
    for (const WindowSpec& each : spec.windows) names.push_back(each.name);
    std::erase_if(out.spec.windows, [&](const WindowSpec& each) { return each.name != window; });
    if (out.spec.windows.empty()) {
      return failure(Errc::config_invalid, "--window: there is no window `" + window + "`; there are " + joined(", ", names));
    }
  }
  out.spec.group_sums.clear();
  for (const WindowSpec& each : out.spec.windows) out.spec.group_sums.push_back(each.name);
  std::vector<std::string> means;
  bool is_there = false;
  for (const MetricRequest& request : spec.metrics.requests) {
    out.spec.metrics.requests = {request};
    const auto plan = plan_of(out.spec);
    if (!plan) return tl::unexpected(plan.error());
    for (const PlannedMetric& metric : plan->metrics()) {
      if (is_mean_over_lists(metric)) means.push_back(metric.key);
    }
    const PlannedMetric* metric = find(*plan, key);
    if (metric == nullptr) continue;
    is_there = true;
    if (!is_mean_over_lists(*metric)) continue;
    out.rule = rule_of(spec, *metric);
    const bool is_number = metric->cutoff != PlannedMetric::no_cut && metric->cutoff != PlannedMetric::at_relevant;
    if (metric->cutoff > 0 && is_number) out.spec.metrics.cutoffs = {metric->cutoff};
    return out;
  }
  return failure(Errc::config_invalid, key +
                                           (is_there ? " is no mean over lists, and only those add up from parts"
                                                     : " is not configured under metrics.names") +
                                           "; there are " + joined(", ", means));
}

Result<MetricRule> rule_of_key(const std::string& key) {
  if (const MetricDefinition* metric = mean_over_lists(key)) return MetricRule{.parts = parts_rule_of(*metric, 0.95)};
  if (metric_of_key(key) == nullptr) {
    return failure(Errc::config_invalid, key +
                                             " is no metric, or a name that a configuration gave with `as`; the rows do not "
                                             "say what it is: give the log and --config");
  }
  return failure(Errc::config_invalid,
                 key + " is no mean over lists, and only those add up from parts; choose another metric");
}

}  // namespace recmeter::why
