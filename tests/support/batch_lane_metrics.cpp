#include "support/batch_lane_metrics.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace recmeter::support {
namespace {

using Items = std::set<ItemNumber>;

Items top(const std::vector<std::optional<ItemNumber>>& by_rank, std::size_t k) {
  Items items;
  for (std::size_t i = 0; i < std::min(k, by_rank.size()); ++i) {
    if (by_rank[i]) items.insert(*by_rank[i]);
  }
  return items;
}

bool has_items(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  return !top(list.shown.items, k).empty();
}

bool has_place(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  return list.shown.in_its_place && has_items(list, k, options);
}

// Whatever `unjudged` says, of the whole list: "distinct items of the top k that the user was shown within the horizon of the
// list's time / distinct items there"
double judged_share(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  Items judged;
  for (std::size_t i = 0; i < std::min(k, list.shown.items.size()); ++i) {
    if (list.shown.items[i] && list.shown.seen[i]) judged.insert(*list.shown.items[i]);
  }
  return static_cast<double>(judged.size()) / static_cast<double>(top(list.shown.items, k).size());
}

// "distinct items of the top k that are in the top k of the list shown in its place / distinct items of the top k"
double overlap(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  const Items ours = top(list.shown.items, k);
  const Items theirs = top(*list.shown.in_its_place, k);
  const auto common = std::ranges::count_if(ours, [&](ItemNumber item) { return theirs.contains(item); });
  return static_cast<double>(common) / static_cast<double>(ours.size());
}

}  // namespace

MetricDefinition judged_share_definition() {
  return {.name = "judged_share",
          .form = MetricForm::mean_over_lists,
          .has_cutoff = true,
          .score = judged_share,
          .has_evidence = has_items,
          .fact = nullptr,
          .only_evidence = true,
          .takes = {MetricOption::unit_user},
          .needs_lanes = true};
}

MetricDefinition overlap_definition() {
  MetricDefinition metric = judged_share_definition();
  metric.name = "overlap";
  metric.score = overlap;
  metric.has_evidence = has_place;
  return metric;
}

}  // namespace recmeter::support
