// RollingSums: one configured window at one horizon: sealed panes in, finished windows out. Thread safety: none.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "recmeter/window/pane_queue.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

// The rows of one window: for each combination (the whole first) its values, sorted, and their sums.
struct WindowSums {
  struct Segment {
    SegmentValues values;  // in `(other)` every value is segment_other
    const RunningSums* sums;
  };
  EventTime start;
  std::vector<std::vector<Segment>> combinations;
};

class RollingSums {
 public:
  RollingSums(const WindowSpec& window, const std::vector<SegmentSpec>& segments, std::size_t values_max);

  void add(EventTime pane, SegmentPanes<PaneSums>&& sums);
  // Calls `visit` for every window whose end is at most `limit`, in order; the sums are valid during the call.
  void advance(EventTime limit, const std::function<void(const WindowSums&)>& visit);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void apply(const SegmentPanes<PaneSums>& pane, bool entering);
  [[nodiscard]] WindowSums window(EventTime start);

  std::vector<SegmentBound> bounds_;
  std::vector<std::size_t> keys_;  // per combination: how many
  PaneQueue<SegmentPanes<PaneSums>> panes_;
  struct Combination {
    std::map<SegmentValues, RunningSums> own;
    RunningSums other;                    // what panes had put together already
    std::optional<RunningSums> together;  // what a window puts together, made anew for each
  };
  std::vector<Combination> running_;
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
