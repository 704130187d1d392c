#include "metric/confusion.h"

#include <algorithm>

namespace recmeter {

namespace {

std::uint64_t universe(const ScoredList& list, const MetricOptions& options) {
  return std::max(options.catalog_size, list.distinct_at(list.length) + list.missed_items);
}

}  // namespace

Confusion confusion_at(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  Confusion counts;
  counts.tp = list.hits_at(k);
  counts.fp = list.distinct_at(k) - counts.tp;
  counts.fn = list.relevant_of_user() - counts.tp;
  counts.tn = universe(list, options) - counts.tp - counts.fp - counts.fn;
  return counts;
}

bool has_irrelevant(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  return universe(list, options) > list.relevant_of_user();
}

bool has_both_kinds(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return list.relevant_of_user() > 0 && has_irrelevant(list, k, options);
}

}  // namespace recmeter
