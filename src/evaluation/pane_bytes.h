// The cells of a sealed pane as bytes, as they stand in partials and in the state of a live run: of each combination, the
// cells: their number, of each its values and bytes (recmeter/window/cell_bytes.h), and the cell of `(other)`, if there is
// one. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/kept_pane.h"
#include "recmeter/window/cell_bytes.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

// Of all shards together. `translate` gives a cell the numbers that all have in common.
template <class Cell, class Translate>
void merge_pane(SegmentPanes<Cell>& to, SegmentPanes<Cell>&& from, const std::vector<SegmentBound>& bounds,
                Translate&& translate) {
  to.combinations.resize(bounds.size());
  for (std::size_t c = 0; c < bounds.size(); ++c) {
    from.combinations[c].for_each(translate);
    to.combinations[c].merge(std::move(from.combinations[c]), bounds[c]);
  }
}

// `bytes_of(cell)`: its bytes.
template <class Cell, class BytesOf>
void write_cells(ByteWriter& to, const SegmentPanes<Cell>& pane, BytesOf&& bytes_of) {
  for (const SegmentCells<Cell>& cells : pane.combinations) {
    to.add(cells.own().size());
    for (const auto& [values, cell] : cells.own()) {
      for (const std::string& value : values) to.add_text(value);
      to.add_text(bytes_of(cell));
    }
    to.add(cells.other() ? 1 : 0);
    if (cells.other()) to.add_text(bytes_of(*cells.other()));
  }
}

// Whether a run of the plan seals such a pane.
[[nodiscard]] inline bool is_pane_of(const EvaluatorPlan& plan, const KeptPane::Key& key) {
  if (key.grid >= plan.grids.grids().size() || key.horizon > plan.spec->join.horizons.size()) return false;
  if (key.horizon == 0 && !plan.wants_exposure()) return false;
  if (key.start <= minus_infinity || key.start >= plus_infinity) return false;
  return plan.grids.grids()[key.grid].start(key.start) == key.start &&
         plan.sealed_at(key.grid, key.horizon, key.start) == key.sealed;
}

// Room for the panes of every grid and horizon.
inline void make_room(ShardOutput& output, const EvaluatorPlan& plan) {
  output.exposure.resize(plan.grids.grids().size());
  output.sums.resize(plan.grids.grids().size());
  for (auto& of_grid : output.sums) of_grid.resize(plan.spec->join.horizons.size());
}

// Which cells a pane has. What was shown in it and what came of that have the same.
template <class Cell>
[[nodiscard]] std::vector<std::vector<SegmentValues>> keys_of(const SegmentPanes<Cell>& pane) {
  std::vector<std::vector<SegmentValues>> keys;
  for (const SegmentCells<Cell>& cells : pane.combinations) {
    auto& of = keys.emplace_back();
    for (const auto& [values, cell] : cells.own()) of.push_back(values);
    if (cells.other()) of.emplace_back();
  }
  return keys;
}

// `read(bytes)` gives a cell, or nothing.
template <class Cell, class Read>
bool read_cells(ByteReader& from, const EvaluatorPlan& plan, SegmentPanes<Cell>& pane, Read&& read) {
  pane.combinations.resize(plan.bounds.size());
  for (std::size_t c = 0; c < plan.bounds.size(); ++c) {
    SegmentCells<Cell>& cells = pane.combinations[c];
    const std::size_t keys = c == 0 ? 0 : plan.spec->segments[c - 1].keys.size();
    for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
      SegmentValues values;
      for (std::size_t k = 0; k < keys; ++k) values.emplace_back(from.text());
      auto cell = read(from.text());
      if (!cell) return false;
      bool moved = false;
      const std::size_t known = cells.own().size();
      Cell& own = cells.at(values, plan.bounds[c], moved);
      if (cells.own().size() != known + 1) return false;  // it is there twice, or there are more than the bound allows
      own = std::move(*cell);
    }
    if (from.number() == 0) continue;
    auto cell = read(from.text());
    if (!cell) return false;
    cells.other() = std::move(*cell);
  }
  return from.is_done();
}

}  // namespace recmeter
