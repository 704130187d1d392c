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
#include "recmeter/window/cell_bytes.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

// Of all shards together. `translate` gives a cell the numbers that all have in common.
template <class Cell, class Translate>
void merge_pane(SegmentPanes<Cell>& to, SegmentPanes<Cell>&& from, const std::vector<SegmentBound>& bounds,
                Translate&& translate) {
  to.combinations.resize(bounds.size());
  for (std::size_t c = 0; c < bounds.size(); ++c) {
    for (auto& [values, cell] : from.combinations[c].own()) translate(cell);
    if (auto& other = from.combinations[c].other()) translate(*other);
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
      cells.at(values, plan.bounds[c], moved) = std::move(*cell);
      if (moved) return false;
    }
    if (from.number() == 0) continue;
    auto cell = read(from.text());
    if (!cell) return false;
    cells.other() = std::move(*cell);
  }
  return from.is_done();
}

}  // namespace recmeter
