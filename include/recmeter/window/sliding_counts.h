// SlidingCounts: how many lists of a window that moves showed each item in the top of one cutoff, and how many items have
// each such count, at the cost of the panes that come and go. Thread safety: none.
#pragma once

#include <vector>

#include "recmeter/metric/exposure_facts.h"
#include "recmeter/window/item_set.h"
#include "recmeter/window/sum_table.h"

namespace recmeter {

class SlidingCounts {
 public:
  // `lists`: by item, how many of a pane's lists showed it. `catalog`: which items belong to it; nullptr: all of them.
  void enter(const SumTable& lists, const ItemSet* catalog) { apply(lists, catalog, true); }
  // Requires: they have entered.
  void leave(const SumTable& lists, const ItemSet* catalog) { apply(lists, catalog, false); }

  // Ascending.
  [[nodiscard]] std::vector<CountLevel> levels() const { return sorted(levels_); }
  // Of items of the catalogue; empty when all items belong to it.
  [[nodiscard]] std::vector<CountLevel> levels_in_catalog() const { return sorted(levels_in_catalog_); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void apply(const SumTable& lists, const ItemSet* catalog, bool entering);
  [[nodiscard]] static std::vector<CountLevel> sorted(const SumTable& levels);

  SumTable counts_;  // by item
  SumTable levels_;  // by count: items
  SumTable levels_in_catalog_;
};

}  // namespace recmeter
