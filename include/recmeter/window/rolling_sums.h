// RollingSums: one configured window at one horizon, by the values of one combination of segment keys: sealed panes in,
// finished windows out. Thread safety: none.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "recmeter/window/pane_queue.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/segment_cells.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/window_spec.h"

namespace recmeter {

// The rows of one window: its values, sorted, and their sums.
struct WindowSums {
  struct Segment {
    SegmentValues values;  // in `(other)` every value is segment_other
    const RunningSums* sums;
  };
  EventTime start;
  std::vector<Segment> segments;
};

class RollingSums {
 public:
  // `keys`: of the combination, how many.
  RollingSums(const WindowSpec& window, SegmentBound bound, std::size_t keys);

  void add(EventTime pane, SegmentCells<PaneSums>&& sums);
  // Calls `visit` for every window whose end is at most `limit`, in order; the sums are valid during the call.
  void advance(EventTime limit, const std::function<void(const WindowSums&)>& visit);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void apply(const SegmentCells<PaneSums>& pane, bool entering);
  [[nodiscard]] WindowSums window(EventTime start);

  SegmentBound bound_;
  std::size_t keys_;
  PaneQueue<SegmentCells<PaneSums>> panes_;
  std::map<SegmentValues, RunningSums> own_;
  RunningSums other_;                    // what panes had put together already
  std::optional<RunningSums> together_;  // what a window puts together, made anew for each
};

// Which of a window's values have rows of their own: those kept and the `values_max` smallest others.
// `present`: sorted. Returns for each whether it stands alone.
template <class Map>
[[nodiscard]] std::vector<bool> stand_alone(const Map& present, const SegmentBound& bound) {
  std::vector<bool> alone;
  std::size_t bounded = 0;
  for (const auto& [values, cell] : present) alone.push_back(bound.keep.contains(values) || bounded++ < bound.values_max);
  return alone;
}

}  // namespace recmeter
