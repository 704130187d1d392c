// RunningExposure: what the lists of one segment value showed in a window that moves, for every cutoff: a state of
// SlidingWindow.
//
// Of distinct items it keeps for each item and cutoff the last pane the item was seen in; an item counts while that pane is
// in the window. There is one of these for every window and segment value, so a pane is named in one byte where the window
// has few enough of them, and a window of one pane keeps nothing at all. Where panes have counts, these are kept instead;
// samples of lists stay with their panes until a snapshot. Thread safety: none. Invariant: distinct is the number of items
// whose last pane for cutoff c has entered and not left.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "recmeter/window/exposure.h"
#include "recmeter/window/exposure_snapshot.h"
#include "recmeter/window/paged_rows.h"
#include "recmeter/window/running_counts.h"
#include "recmeter/window/segment_values.h"
#include "recmeter/window/sliding_window.h"

namespace recmeter {

// Which facts of what was shown are published.
struct ExposurePlan {
  std::vector<std::uint32_t> cutoffs = {};  // ascending; the first may be scored_items (window/exposure.h)
  std::size_t compared_lists = 0;           // for OverlapFacts, at most; 0: they are not wanted
};

class RunningExposure {
 public:
  using Cell = Exposure;

  // `panes`: how many are inside at the same time at most; at least 1. `catalog`: which items belong to it; nullptr: every
  // item counts as one of it. Both pointers outlive this object.
  RunningExposure(std::size_t panes, const ExposurePlan* plan, const ItemSet* catalog);

  // The pane stays where it is and as it is until it leaves.
  void enter(const Exposure& pane);
  // Requires: it is the first of those inside, and not the only one.
  void leave(const Exposure& pane);
  // Puts together; nothing enters or leaves from now on.
  void add(const RunningExposure& other);
  // Per cutoff.
  [[nodiscard]] std::vector<ExposureSnapshot> snapshot() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // By item and cutoff, the pane it was seen in last, as mark_of() has it; 0: in none.
  template <class Mark>
  using LastSeen = PagedRows<Mark, 128>;
  struct OnePane {};
  struct Distinct {
    std::uint64_t items = 0;
    std::uint64_t in_catalog = 0;
  };

  // The end of the cutoffs whose items those of set number `set` are; it is the first of them.
  [[nodiscard]] std::size_t end_of(std::size_t set) const { return set < first_top_ ? set + 1 : distinct_.size(); }
  void count_alone(const Exposure& pane);
  template <class Mark>
  void enter(LastSeen<Mark>& last_seen, const Exposure& pane);
  template <class Mark>
  void leave(LastSeen<Mark>& last_seen, const Exposure& pane);

  const ExposurePlan* plan_;
  const ItemSet* catalog_;
  std::deque<const Exposure*> panes_;  // inside, or put together
  std::size_t first_ = 0;              // the number of the first of them, in the order in which they entered
  bool is_together_ = false;
  std::variant<OnePane, LastSeen<std::uint8_t>, LastSeen<std::uint32_t>> last_seen_;
  std::vector<Distinct> distinct_;  // by cutoff
  std::size_t first_top_ = 0;       // 1: the first cutoff is scored_items
  std::optional<RunningCounts> counts_;
};

// What a window showed, per segment value and cutoff. It does not depend on horizons, so it is known before the window's rows
// are and waits for them.
using WindowExposure = std::map<SegmentValues, std::vector<ExposureSnapshot>>;
[[nodiscard]] WindowExposure snapshot_of(std::span<const SlidingWindow<RunningExposure>::Segment> segments);
[[nodiscard]] std::size_t memory_bytes(const WindowExposure& exposure);

}  // namespace recmeter
