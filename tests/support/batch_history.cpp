#include "support/batch_history.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace recmeter::support {
namespace {

// Of the top k, each item once: how many there are, and how many of them are known.
struct Top {
  std::size_t items = 0;
  std::size_t known = 0;
};
Top top(const ListRelevance& list, std::size_t k) {
  std::set<ItemNumber> items;
  std::set<ItemNumber> known;
  for (std::size_t i = 0; i < std::min(k, list.items.size()); ++i) {
    if (!list.items[i]) continue;
    items.insert(*list.items[i]);
    if ((*list.known)[i]) known.insert(*list.items[i]);
  }
  return {.items = items.size(), .known = known.size()};
}

bool has_evidence(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  return list.known && top(list, k).items > 0;
}

double known_share(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  const Top both = top(list, k);
  return static_cast<double>(both.known) / static_cast<double>(both.items);
}

}  // namespace

std::optional<std::vector<bool>> known_items(const EvaluatorSpec& spec, const AcceptedEvents& events,
                                             const std::vector<std::size_t>& feedback, const BatchList& list) {
  if (list.owner.empty()) return std::nullopt;
  std::vector<bool> known;
  for (const ShownItem& shown : list.ranks) {
    known.push_back(std::ranges::any_of(feedback, [&](std::size_t i) {
      const BatchFeedback& act = events.feedback[i];
      return shown.item == act.item && act.ts < list.ts && spec.join.actions[act.action].gain > 0;
    }));
  }
  return known;
}

MetricDefinition known_share_definition() {
  return {.name = "known_share",
          .form = MetricForm::mean_over_lists,
          .has_cutoff = true,
          .score = known_share,
          .has_evidence = has_evidence,
          .fact = nullptr,
          .only_evidence = true,
          .takes = {MetricOption::unit_user},
          .needs_user = true,
          .needs_whole_past = true};
}

}  // namespace recmeter::support
