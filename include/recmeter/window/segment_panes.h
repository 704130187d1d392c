// SegmentPanes: the cells of one pane: one SegmentCells for the whole (number 0) and one for each configured combination.
#pragma once

#include <utility>
#include <vector>

#include "recmeter/window/segment_cells.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

// The bounds of each combination, the whole first.
[[nodiscard]] std::vector<SegmentBound> segment_bounds(const std::vector<SegmentSpec>& segments, std::size_t values_max);

template <class Cell>
struct SegmentPanes {
  std::vector<SegmentCells<Cell>> combinations;

  void merge(SegmentPanes&& from, const std::vector<SegmentBound>& bounds) {
    if (combinations.empty()) combinations.resize(bounds.size());
    for (std::size_t c = 0; c < from.combinations.size(); ++c) {
      combinations[c].merge(std::move(from.combinations[c]), bounds[c]);
    }
  }

  // Of the cells.
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const SegmentCells<Cell>& cells : combinations) {
      for (const auto& [values, cell] : cells.own()) bytes += cell.memory_bytes();
      if (cells.other()) bytes += cells.other()->memory_bytes();
    }
    return bytes;
  }
};

}  // namespace recmeter
