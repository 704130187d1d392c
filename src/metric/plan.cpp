#include "recmeter/metric/plan.h"

#include <algorithm>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

Result<MetricPlan> MetricPlan::make(const MetricSpec& spec) {
  MetricPlan plan;
  for (const MetricRequest& request : spec.requests) {
    const MetricDefinition* definition = find_metric(request.name);
    if (definition == nullptr) {
      return failure(Errc::config_invalid,
                     "metrics.names: there is no metric '" + request.name + "'; see `recmeter metrics`");
    }
    const std::string name = request.as.value_or(std::string(definition->name));
    std::vector<std::uint32_t> cutoffs{0};
    if (definition->has_cutoff) cutoffs = spec.cutoffs;
    for (const std::uint32_t cutoff : cutoffs) {
      PlannedMetric metric{.definition = definition, .options = request.options, .key = name, .cutoff = cutoff};
      if (definition->has_cutoff) metric.key += "@" + std::to_string(cutoff);
      for (const PlannedMetric& other : plan.metrics_) {
        if (other.key == metric.key) {
          return failure(Errc::config_invalid,
                         "metrics.names: two metrics have the key '" + metric.key + "'; give one an `as`");
        }
      }
      if (definition->family == Family::exposure) {
        plan.exposure_cutoffs_.push_back(cutoff);
      } else {
        metric.column = plan.columns_++;
        plan.unconditional_ = plan.unconditional_ || !definition->zero_without_hits;
      }
      plan.needs_missed_ = plan.needs_missed_ || definition->scope == Scope::user;
      plan.needs_catalog_ = plan.needs_catalog_ || definition->needs_catalog;
      plan.metrics_.push_back(std::move(metric));
    }
  }
  auto& cutoffs = plan.exposure_cutoffs_;
  std::sort(cutoffs.begin(), cutoffs.end());
  cutoffs.erase(std::unique(cutoffs.begin(), cutoffs.end()), cutoffs.end());
  for (PlannedMetric& metric : plan.metrics_) {
    if (metric.definition->family != Family::exposure) continue;
    const auto at = std::lower_bound(cutoffs.begin(), cutoffs.end(), metric.cutoff);
    metric.exposure = static_cast<std::size_t>(at - cutoffs.begin());
  }
  return plan;
}

void MetricPlan::add_values(const ScoredList& list, std::span<std::int64_t> columns) const {
  const bool in_list = list.relevant_in_list() > 0;
  const bool of_user = list.relevant_of_user() > 0;
  columns[static_cast<std::size_t>(Evidence::relevant_in_list) - 1] += in_list ? 1 : 0;
  columns[static_cast<std::size_t>(Evidence::relevant_of_user) - 1] += of_user ? 1 : 0;
  for (const PlannedMetric& metric : metrics_) {
    if (metric.definition->family == Family::exposure || (!in_list && metric.definition->zero_without_hits)) continue;
    columns[metric.column] += to_q32(metric.definition->evaluate(list, metric.cutoff, metric.options));
  }
}

}  // namespace recmeter
