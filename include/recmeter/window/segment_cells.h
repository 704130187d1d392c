// SegmentCells: one cell for each value of a combination of segment keys, bounded. [S7], "Segments".
//
// The values named in `keep`, and besides them the `values_max` smallest others in byte order, have cells of their own; the
// rest is together in `other`. Because the smallest are decided by bytes, adding values in any order, and merging parts that
// were bounded on their own, gives the same cells. Cell: default constructible, and merge(Cell&&).
// Thread safety: none.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "recmeter/window/segment_values.h"

namespace recmeter {

// Which values have cells of their own whatever there is besides them, and how many others may.
struct SegmentBound {
  std::set<SegmentValues> keep;
  std::size_t values_max = 0;
};

template <class Cell>
class SegmentCells {
 public:
  // The cell that counts for `values` from now on; it may be `other`. A reference to an own cell is valid until that value is
  // no more among the smallest; `moved` is set when the call has moved some value into `other`.
  Cell& at(const SegmentValues& values, const SegmentBound& bound, bool& moved) {
    if (const auto found = own_.find(values); found != own_.end()) return found->second;
    const bool kept = bound.keep.contains(values);
    if (!kept && bounded_ == bound.values_max) {
      const auto largest = largest_bounded(bound);
      if (largest == own_.end() || largest->first < values) return other_cell();
      other_cell().merge(std::move(largest->second));
      own_.erase(largest);
      --bounded_;
      moved = true;
    }
    bounded_ += kept ? 0 : 1;
    return own_[values];
  }

  void merge(SegmentCells&& from, const SegmentBound& bound) {
    bool moved = false;
    for (auto& [values, cell] : from.own_) at(values, bound, moved).merge(std::move(cell));
    if (from.other_) other_cell().merge(std::move(*from.other_));
  }

  [[nodiscard]] const std::map<SegmentValues, Cell>& own() const { return own_; }
  [[nodiscard]] std::map<SegmentValues, Cell>& own() { return own_; }
  [[nodiscard]] const std::optional<Cell>& other() const { return other_; }
  [[nodiscard]] std::optional<Cell>& other() { return other_; }
  // visit(cell): each, that of `(other)` last.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (auto& [values, cell] : own_) visit(cell);
    if (other_) visit(*other_);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [values, cell] : own_) visit(cell);
    if (other_) visit(*other_);
  }
  // Of the cells.
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for_each([&](const Cell& cell) { bytes += cell.memory_bytes(); });
    return bytes;
  }

 private:
  Cell& other_cell() {
    if (!other_) other_.emplace();
    return *other_;
  }
  typename std::map<SegmentValues, Cell>::iterator largest_bounded(const SegmentBound& bound) {
    for (auto at = own_.end(); at != own_.begin();) {
      --at;
      if (!bound.keep.contains(at->first)) return at;
    }
    return own_.end();
  }

  std::map<SegmentValues, Cell> own_;
  std::optional<Cell> other_;
  std::size_t bounded_ = 0;  // own values that are not kept
};

}  // namespace recmeter
