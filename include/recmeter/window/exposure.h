// Exposure: what was shown in one cell (a pane, a segment value). [S8].
//
// One set of items per cutoff asked for: set c holds the items shown at a rank in (cutoff[c-1], cutoff[c]], so a list's item
// is entered once, and the items of the top cutoff[c] are the union of sets 0..c. Where ExposureParts ask for it, counts of
// the lists that showed each item, by the same bands, which make the sets needless, and a sample of the lists. What nobody
// adds costs nothing. A first cutoff of scored_items is none: its set is of what was shown with a score, at any rank, and
// part of no union. Exposures form a semigroup under merge. Thread safety: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/window/item_set.h"
#include "recmeter/window/list_sample.h"
#include "recmeter/window/show_counts.h"

namespace recmeter {

// Where it is the first of the cutoffs.
inline constexpr std::uint32_t scored_items = 0;

class Exposure {
 public:
  // `items` by rank, Interner::none where there is none.
  void add(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items);
  // Those of rank i with scored[i], where the first cutoff is scored_items.
  void add_scored(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items,
                  std::span<const std::uint8_t> scored);
  // The other two want each item of a list at its first rank alone, Interner::none elsewhere.
  void add_counts(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items);
  // Of lists with items. `hash`: of the list; `lists_max`: ListSample.
  void add_compared(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items, std::uint64_t hash,
                    std::size_t group, std::size_t lists_max);
  void merge(const Exposure& other);
  void merge(Exposure&& other);

  [[nodiscard]] std::span<const ItemSet> sets() const { return sets_; }
  // By item, lists that showed it at a rank of the band; as many as cutoffs, or none.
  [[nodiscard]] std::span<const ShowCounts> counts() const { return counts_; }
  // Of lists down to the largest cutoff.
  [[nodiscard]] const ListSample& sample() const { return sample_; }
  // visit(item) for each of its items, once or several times.
  template <class Visit>
  void for_each_item(Visit&& visit) const {
    for (const ItemSet& set : sets_) set.for_each(visit);
    for (const ShowCounts& counts : counts_) counts.for_each([&](Interner::Id item, std::uint32_t) { visit(item); });
    sample_.for_each([&](std::size_t, std::size_t, std::span<const Interner::Id> items) {
      for (const Interner::Id item : items) {
        if (item != Interner::none) visit(item);
      }
    });
  }
  // The same in other numbers: `to[id]` for each id.
  [[nodiscard]] Exposure translated(std::span<const std::uint32_t> to) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class CellReader;  // recmeter/window/cell_bytes.h

  std::vector<ItemSet> sets_;
  std::vector<ShowCounts> counts_;
  ListSample sample_;
};

}  // namespace recmeter
