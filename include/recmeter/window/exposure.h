// Exposure: what was shown in one cell (a pane, a segment value), as sets of items. SEMANTICS §8.
//
// One set per cutoff asked for: set c holds the items shown at a rank in (cutoff[c-1], cutoff[c]], so a list's item is
// entered once, and the items of the top cutoff[c] are the union of sets 0..c. Exposures form a semigroup under merge. Thread
// safety: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/window/item_set.h"

namespace recmeter {

class Exposure {
 public:
  // `items` by rank, Interner::none where there is none.
  void add(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items);
  void merge(const Exposure& other);
  void merge(Exposure&& other) { merge(static_cast<const Exposure&>(other)); }

  [[nodiscard]] std::span<const ItemSet> sets() const { return sets_; }
  // The same sets in other numbers: `to[id]` for each id.
  [[nodiscard]] Exposure translated(std::span<const std::uint32_t> to) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<ItemSet> sets_;
};

}  // namespace recmeter
