#include "recmeter/metric/mean_over_lists.h"

#include <algorithm>
#include <charconv>

#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

bool is_of_lists(const MetricDefinition& metric) {
  return metric.family == Family::list_mean || metric.family == Family::list_share;
}

}  // namespace

bool is_mean_over_lists(const PlannedMetric& metric) {
  const bool has_own_unit = !metric.options.unit || *metric.options.unit == Unit::list;
  return is_of_lists(*metric.definition) && metric.pooled == nullptr && has_own_unit;
}

const MetricDefinition* metric_of_key(std::string_view key) {
  const std::size_t end = std::min(key.find_first_of("{@/"), key.size());
  const MetricDefinition* metric = find_metric(key.substr(0, end));
  const bool is_share = metric != nullptr && metric->slower_share != nullptr && key.substr(end).starts_with("{slower_than=");
  return is_share ? metric->slower_share : metric;
}

const MetricDefinition* mean_over_lists(std::string_view key) {
  const MetricDefinition* metric = metric_of_key(key);
  return metric != nullptr && key.find('/') == std::string_view::npos && is_of_lists(*metric) ? metric : nullptr;
}

std::uint32_t cutoff_of_key(std::string_view key) {
  const std::size_t at = key.find('@');
  std::uint32_t cutoff = 0;
  if (at != std::string_view::npos) std::from_chars(key.data() + at + 1, key.data() + key.size(), cutoff);
  return cutoff;
}

}  // namespace recmeter
