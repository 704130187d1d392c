// ListCells: the cells that lists count in, by pane and by the values of each combination of segment keys: what was shown
// and, by horizon, the sums. Thread safety: none; owned by one shard or by ProvisionalRows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "recmeter/evaluation/distinct_ranks.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/segmenter.h"
#include "recmeter/evaluation/time_span.h"
#include "recmeter/join/joiner.h"
#include "recmeter/window/exposure.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

class ListCells {
 public:
  template <class Cell>
  using Panes = std::map<EventTime, SegmentPanes<Cell>>;  // by start

  // `plan` and `segmenter`, which made the labels of the lists, outlive the cells. `range`: of the lists that the whole
  // window holds.
  ListCells(const EvaluatorPlan& plan, const Segmenter& segmenter, TimeSpan range = {minus_infinity, plus_infinity});

  // Whose list it is; the user only where some metric looks at users one by one.
  [[nodiscard]] ListOwner owner_of(const ListView& list) const;
  // Counts what the list shows from now on. `is_all`: it shows no more, and is compared with other lists.
  void add_shown(const ListView& list, bool is_all = true);
  // visit(PaneSums&) for the cells of the list at a horizon, one for each grid and combination.
  template <class Visit>
  void for_each_sums(const ListView& list, std::size_t horizon, Visit&& visit) {
    for (std::size_t g = 0; g < sums_.size(); ++g) {
      if (!counts_in(g, list.ts)) continue;
      for_each_cell(sums_[g][horizon], sums_finder_[g][horizon], plan_.grids.grids()[g].start(list.ts), list.labels, visit);
    }
  }

  [[nodiscard]] const Panes<Exposure>& exposure(std::size_t grid) const { return exposure_[grid]; }
  [[nodiscard]] const Panes<PaneSums>& sums(std::size_t grid, std::size_t horizon) const { return sums_[grid][horizon]; }
  // Moves to `to` the panes of a grid that start before `end`.
  void take_exposure(std::size_t grid, EventTime end, Panes<Exposure>& to) {
    take(exposure_[grid], exposure_finder_[grid], end, to);
  }
  void take_sums(std::size_t grid, std::size_t horizon, EventTime end, Panes<PaneSums>& to) {
    take(sums_[grid][horizon], sums_finder_[grid][horizon], end, to);
  }
  // The first and last time of the lists shown within the range; empty: none.
  [[nodiscard]] std::optional<TimeSpan> shown() const { return shown_; }
  // Labels may mean other values than before.
  void forget_labels();

  [[nodiscard]] std::size_t sums_bytes() const;
  [[nodiscard]] std::size_t exposure_bytes() const;

 private:
  // Finds a list's cells in the pane it was last asked for, by label.
  template <class Cell>
  struct Finder {
    EventTime pane = minus_infinity;
    SegmentPanes<Cell>* cells = nullptr;
    std::vector<std::vector<Cell*>> by_label;  // per combination
  };

  [[nodiscard]] bool counts_in(std::size_t grid, EventTime ts) const {
    return !plan_.grids.grids()[grid].is_whole() || range_.contains(ts);
  }
  template <class Cell, class Visit>
  void for_each_cell(Panes<Cell>& panes, Finder<Cell>& finder, EventTime pane, std::span<const std::uint32_t> labels,
                     Visit&& visit);
  template <class Cell>
  static void take(Panes<Cell>& panes, Finder<Cell>& finder, EventTime end, Panes<Cell>& to);

  const EvaluatorPlan& plan_;
  const Segmenter& segmenter_;
  TimeSpan range_;
  std::optional<TimeSpan> shown_;
  std::vector<Panes<Exposure>> exposure_;  // per grid
  std::vector<Finder<Exposure>> exposure_finder_;
  std::vector<std::vector<Panes<PaneSums>>> sums_;  // per grid, horizon
  std::vector<std::vector<Finder<PaneSums>>> sums_finder_;
  DistinctRanks distinct_;
  std::vector<Interner::Id> first_items_;  // by rank of the list being added, repeated items left out
};

template <class Cell, class Visit>
void ListCells::for_each_cell(Panes<Cell>& panes, Finder<Cell>& finder, EventTime pane, std::span<const std::uint32_t> labels,
                              Visit&& visit) {
  if (finder.pane != pane || finder.cells == nullptr) {
    finder.pane = pane;
    finder.cells = &panes[pane];
    finder.cells->combinations.resize(plan_.bounds.size());
    finder.by_label.assign(plan_.bounds.size(), {});
  }
  for (std::size_t c = 0; c < plan_.bounds.size(); ++c) {
    const std::uint32_t label = c == 0 ? 0 : labels[c - 1];
    if (label == Segmenter::in_no_row) continue;
    std::vector<Cell*>& found = finder.by_label[c];
    if (label >= found.size()) found.resize(label + 1, nullptr);
    if (found[label] == nullptr) {
      bool moved = false;
      const SegmentValues values = c == 0 ? SegmentValues{} : segmenter_.values(c - 1, label);
      Cell& cell = finder.cells->combinations[c].at(values, plan_.bounds[c], moved);
      if (moved) std::fill(found.begin(), found.end(), nullptr);
      found[label] = &cell;
    }
    visit(*found[label]);
  }
}

template <class Cell>
void ListCells::take(Panes<Cell>& panes, Finder<Cell>& finder, EventTime end, Panes<Cell>& to) {
  while (!panes.empty() && panes.begin()->first < end) {
    if (finder.pane == panes.begin()->first) finder.cells = nullptr;
    to.insert(panes.extract(panes.begin()));
  }
}

}  // namespace recmeter
