// RollingExposure: one configured window's exposure, by the values of one combination: sealed panes in, facts of what was
// shown out. Horizon-independent, so it is known before the window's rows are and waits for them. Thread safety: none.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "recmeter/window/exposure.h"
#include "recmeter/window/exposure_snapshot.h"
#include "recmeter/window/pane_queue.h"
#include "recmeter/window/segment_cells.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/sliding_exposure.h"

namespace recmeter {

// Facts per cutoff for each segment value; `(other)` under segment_other.
struct WindowExposure {
  EventTime start;
  std::map<SegmentValues, std::vector<ExposureSnapshot>> segments;

  [[nodiscard]] std::size_t memory_bytes() const;
};

// Which facts of what was shown are published.
struct ExposurePlan {
  std::vector<std::uint32_t> cutoffs = {};
  std::size_t compared_lists = 0;  // for OverlapFacts, at most; 0: they are not wanted
};

class RollingExposure {
 public:
  // `keys`: of the combination, how many. `catalog`: which items belong to it; nullptr: every item counts as one of it.
  // Outlives this object.
  RollingExposure(const WindowSpec& window, SegmentBound bound, std::size_t keys, ExposurePlan plan, const ItemSet* catalog);

  void add(EventTime pane, SegmentCells<Exposure>&& exposure);
  void advance(EventTime limit, const std::function<void(WindowExposure&&)>& visit);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Live {
    std::uint32_t number;
    const SegmentCells<Exposure>* pane;
  };
  struct Sliding {
    SlidingExposure exposure;
    std::deque<const Exposure*> panes;  // of the panes inside, those with the value, oldest first
  };
  void enter(std::uint32_t number, const SegmentCells<Exposure>& pane);
  void leave(std::uint32_t number, const SegmentCells<Exposure>& pane);
  [[nodiscard]] SlidingExposure take_spare();
  [[nodiscard]] WindowExposure window(EventTime start) const;
  [[nodiscard]] std::vector<ExposureSnapshot> together(const std::vector<bool>& alone) const;
  [[nodiscard]] std::vector<ExposureSnapshot> snapshots(const Sliding& sliding) const;

  SegmentBound bound_;
  std::size_t keys_;
  ExposurePlan plan_;
  const ItemSet* catalog_;
  std::size_t panes_inside_;  // at the same time, at most
  PaneQueue<SegmentCells<Exposure>> panes_;
  std::map<SegmentValues, Sliding> sliding_;
  std::vector<SlidingExposure> spare_;  // of values that left; empty, for the next ones
  std::vector<Live> live_;              // the panes inside, oldest first
};

}  // namespace recmeter
