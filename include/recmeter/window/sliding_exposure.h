// SlidingExposure: distinct items of a window that moves, for every cutoff, at the cost of the panes that enter and leave.
//
// For each item and cutoff it keeps the last pane the item was seen in; an item counts while that pane is in the window.
// Thread safety: none. Invariant: count(c) is the number of items whose last pane for cutoff c has entered and not left.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/metric/definition.h"
#include "recmeter/window/exposure.h"

namespace recmeter {

class SlidingExposure {
 public:
  // Panes are numbered in time order. `catalog`: which items belong to it; nullptr: all of them.
  void enter(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog);
  // Requires: panes leave in the order in which they entered.
  void leave(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog);
  // Distinct items in the top cutoff number c.
  [[nodiscard]] ExposureFacts facts(std::size_t c) const { return c < facts_.size() ? facts_[c] : ExposureFacts{}; }

 private:
  static constexpr std::size_t page_items = 1024;
  struct LastSeen {
    // Pane + 1 in which an item was seen last, 0: never.
    std::vector<std::unique_ptr<std::uint32_t[]>> pages;
    std::uint32_t& at(std::uint32_t item);
  };

  std::vector<LastSeen> last_seen_;  // per cutoff
  std::vector<ExposureFacts> facts_;
};

}  // namespace recmeter
