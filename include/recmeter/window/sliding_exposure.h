// SlidingExposure: what a window that moves showed, for every cutoff, at the cost of the panes that enter and leave.
//
// Of distinct items it keeps for each item and cutoff the last pane the item was seen in; an item counts while that pane is
// in the window. There is one of these for every window and segment value, so a pane is named in one byte where the window
// has few enough of them, and a window of one pane keeps nothing at all. Where panes have counts, these
// are kept instead; samples of lists are not looked at. Thread safety: none. Invariant: distinct is the number of items whose
// last pane for cutoff c has entered and not left.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "recmeter/window/exposure.h"
#include "recmeter/window/exposure_snapshot.h"
#include "recmeter/window/paged_rows.h"
#include "recmeter/window/sliding_counts.h"

namespace recmeter {

class SlidingExposure {
 public:
  // `panes`: how many are inside at the same time at most; at least 1.
  SlidingExposure(std::size_t panes, std::size_t cutoffs);

  // Panes are numbered 0, 1, ... in time order. `catalog`: which items belong to it; nullptr: all of them.
  void enter(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog);
  // Requires: panes leave in the order in which they entered.
  void leave(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog);
  // Of the top cutoff number c.
  [[nodiscard]] ExposureSnapshot snapshot(std::size_t c, const ItemSet* catalog) const;
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

  void enter_parts(const Exposure& exposure, const ItemSet* catalog);
  void leave_parts(const Exposure& exposure, const ItemSet* catalog);
  void count_alone(const Exposure& exposure, const ItemSet* catalog);
  template <class Mark>
  void enter(LastSeen<Mark>& last_seen, Mark mark, const Exposure& exposure, const ItemSet* catalog);
  template <class Mark>
  void leave(LastSeen<Mark>& last_seen, Mark mark, const Exposure& exposure, const ItemSet* catalog);

  std::variant<OnePane, LastSeen<std::uint8_t>, LastSeen<std::uint32_t>> last_seen_;
  std::vector<Distinct> distinct_;  // by cutoff
  std::optional<SlidingCounts> counts_;
};

}  // namespace recmeter
