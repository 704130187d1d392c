#include "recmeter/evaluation/list_cells.h"

#include <algorithm>

#include "recmeter/base/user_key.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

template <class Cell>
std::size_t bytes_of(const ListCells::Panes<Cell>& panes) {
  std::size_t bytes = 0;
  for (const auto& [start, cells] : panes) bytes += cells.memory_bytes();
  return bytes;
}

}  // namespace

ListCells::ListCells(const EvaluatorPlan& plan, const Segmenter& segmenter, TimeSpan range)
    : plan_(plan),
      segmenter_(segmenter),
      range_(range),
      exposure_(plan.grids.grids().size()),
      exposure_finder_(exposure_.size()),
      sums_(exposure_.size()),
      sums_finder_(exposure_.size()) {
  for (auto& panes : sums_) panes.resize(plan.spec->join.horizons.size());
  for (auto& finders : sums_finder_) finders.resize(plan.spec->join.horizons.size());
}

// The user of [S6].
ListOwner ListCells::owner_of(const ListView& list) const {
  if (!plan_.metrics.needs_users()) return {.group = list.group()};
  const bool known = !list.user_id.empty() && !plan_.spec->join.key.not_users.contains(list.user_id);
  return {.group = list.group(), .user = user_key(known ? list.user_id : list.list_id)};
}

void ListCells::add_shown(const ListView& list, bool is_all) {
  if (range_.contains(list.ts)) {
    if (!shown_) shown_ = TimeSpan{list.ts, list.ts};
    shown_ = TimeSpan{std::min(shown_->from, list.ts), std::max(shown_->to, list.ts)};
  }
  const auto cutoffs = plan_.metrics.exposure_cutoffs();
  if (cutoffs.empty()) return;
  const ExposureParts needs = plan_.metrics.exposure_needs();
  if (needs.counts || needs.overlap) {
    distinct_.count(list.items);
    first_items_.assign(list.items.size(), Interner::none);
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      if (distinct_.is_first(rank)) first_items_[rank] = list.items[rank];
    }
  }
  const bool is_compared = needs.overlap && is_all && std::any_of(list.items.begin(), list.items.end(), [](Interner::Id id) {
                             return id != Interner::none;
                           });
  const std::uint64_t hash = is_compared ? hash_list(list.list_id, list.ts) : 0;
  for (std::size_t g = 0; g < exposure_.size(); ++g) {
    if (!counts_in(g, list.ts)) continue;
    for_each_cell(exposure_[g], exposure_finder_[g], plan_.grids.grids()[g].start(list.ts), list.labels, [&](Exposure& cell) {
      needs.counts ? cell.add_counts(cutoffs, first_items_) : cell.add(cutoffs, list.items);
      if (cutoffs.front() == scored_items) cell.add_scored(cutoffs, list.items, list.scored);
      if (is_compared) cell.add_compared(cutoffs, first_items_, hash, list.group(), plan_.spec->limits.compared_lists);
    });
  }
}

void ListCells::forget_labels() {
  for (auto& finder : exposure_finder_) finder.cells = nullptr;
  for (auto& finders : sums_finder_) {
    for (auto& finder : finders) finder.cells = nullptr;
  }
}

std::size_t ListCells::sums_bytes() const {
  std::size_t bytes = 0;
  for (const auto& horizons : sums_) {
    for (const auto& panes : horizons) bytes += bytes_of(panes);
  }
  return bytes;
}

std::size_t ListCells::exposure_bytes() const {
  std::size_t bytes = 0;
  for (const auto& panes : exposure_) bytes += bytes_of(panes);
  return bytes;
}

}  // namespace recmeter
