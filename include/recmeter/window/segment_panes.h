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

  // Of the cells.
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const SegmentCells<Cell>& cells : combinations) bytes += cells.memory_bytes();
    return bytes;
  }
};

}  // namespace recmeter
