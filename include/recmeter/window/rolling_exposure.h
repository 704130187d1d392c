// RollingExposure: one configured window's exposure: sealed panes in, facts of what was shown out. Horizon-independent, so
// it is known before the window's rows are and waits for them. Thread safety: none.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "recmeter/window/exposure.h"
#include "recmeter/window/exposure_snapshot.h"
#include "recmeter/window/pane_queue.h"
#include "recmeter/window/segment_panes.h"
#include "recmeter/window/sliding_exposure.h"

namespace recmeter {

// Facts per cutoff for each combination (the whole first) and segment value; `(other)` under segment_other.
struct WindowExposure {
  EventTime start;
  std::vector<std::map<SegmentValues, std::vector<ExposureSnapshot>>> combinations;

  [[nodiscard]] std::size_t memory_bytes() const;
};

// Which facts of what was shown are published.
struct ExposurePlan {
  std::vector<std::uint32_t> cutoffs = {};
  std::size_t compared_lists = 0;  // for OverlapFacts, at most; 0: they are not wanted
};

class RollingExposure {
 public:
  // `catalog`: which items belong to it; nullptr: every item counts as one of it. Outlives this object.
  RollingExposure(const WindowSpec& window, const std::vector<SegmentSpec>& segments, std::size_t values_max,
                  ExposurePlan plan, const ItemSet* catalog);

  void add(EventTime pane, SegmentPanes<Exposure>&& exposure);
  void advance(EventTime limit, const std::function<void(WindowExposure&&)>& visit);
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Live {
    std::uint32_t number;
    const SegmentPanes<Exposure>* pane;
  };
  struct Sliding {
    SlidingExposure exposure;
    std::deque<const Exposure*> panes;  // of the panes inside, those with the value, oldest first
  };
  void enter(std::uint32_t number, const SegmentPanes<Exposure>& pane);
  void leave(std::uint32_t number, const SegmentPanes<Exposure>& pane);
  [[nodiscard]] SlidingExposure take_spare();
  [[nodiscard]] WindowExposure window(EventTime start) const;
  [[nodiscard]] std::vector<ExposureSnapshot> together(std::size_t combination, const std::vector<bool>& alone) const;
  [[nodiscard]] std::vector<ExposureSnapshot> snapshots(const Sliding& sliding) const;

  std::vector<SegmentBound> bounds_;
  std::vector<std::size_t> keys_;
  ExposurePlan plan_;
  const ItemSet* catalog_;
  std::size_t panes_inside_;  // at the same time, at most
  PaneQueue<SegmentPanes<Exposure>> panes_;
  std::vector<std::map<SegmentValues, Sliding>> sliding_;  // per combination
  std::vector<SlidingExposure> spare_;                     // of values that left; empty, for the next ones
  std::vector<Live> live_;                                 // the panes inside, oldest first
};

}  // namespace recmeter
