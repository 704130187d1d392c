#include "support/batch_latency.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace recmeter::support {

namespace {

// "nearest rank of latency_ms, in buckets of 1 % (below 1: bucket 0, published as 1; else bounds 1.01^i, the upper one
// published)"; more than a day is a day.
double bucket_end(double ms) {
  double end = 1;
  while (end <= std::min(ms, 86400000.0)) end *= 1.01;
  return end;
}

std::optional<double> latency(std::span<const ListRelevance* const> lists, std::size_t, const MetricOptions& options) {
  std::vector<double> ends;
  for (const ListRelevance* list : lists) ends.push_back(bucket_end(*list->latency));
  std::sort(ends.begin(), ends.end());
  for (std::size_t rank = 1; rank <= ends.size(); ++rank) {
    if (static_cast<double>(rank) / static_cast<double>(ends.size()) >= options.rank_share) return ends[rank - 1];
  }
  return std::nullopt;
}
// "1 where latency_ms is at least the first bound above slower_than"
double is_slower(const ListRelevance& list, std::size_t, const MetricOptions& options) {
  return *list.latency >= bucket_end(*options.slower_than) ? 1 : 0;
}
bool has_latency(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return list.latency.has_value();
}

}  // namespace

MetricDefinition latency_definition() {
  const double unbounded = std::numeric_limits<double>::infinity();
  MetricDefinition metric{"latency", MetricForm::rank_of_lists, false, nullptr, has_latency, nullptr, latency, 0, unbounded};
  metric.only_evidence = true;
  metric.takes = {MetricOption::rank_share, MetricOption::slower_than};
  metric.of_relevance = false;
  return metric;
}

const MetricDefinition& slower_share_definition() {
  static const MetricDefinition metric = [] {
    MetricDefinition share{"latency", MetricForm::mean_over_lists, false, is_slower, has_latency, nullptr};
    share.only_evidence = true;
    return share;
  }();
  return metric;
}

}  // namespace recmeter::support
