#include "app/known_metrics.h"

#include <vector>

#include "recmeter/metric/registry.h"

namespace recmeter {

std::span<const KnownMetric> known_metrics() {
  static const std::vector<KnownMetric> metrics = [] {
    std::vector<KnownMetric> list;
    for (const MetricDefinition* metric : all_metrics()) {
      list.push_back({.name = metric->name,
                      .definition = metric->formula,
                      .user_scope = metric->scope == Scope::user,
                      .needs_catalog = metric->needs_catalog,
                      .needs_attributes = metric->needs.has(ListPart::attributes),
                      .has_cutoff = metric->has_cutoff,
                      .takes_gain = metric->takes.has(MetricOption::gain),
                      .takes_ap_denominator = metric->takes.has(MetricOption::ap_denominator),
                      .takes_beta = metric->takes.has(MetricOption::beta)});
    }
    return list;
  }();
  return metrics;
}

}  // namespace recmeter
