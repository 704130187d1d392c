// Exposure: what was shown in one cell (a pane, a segment value). SEMANTICS §8.
//
// One set of items per cutoff asked for: set c holds the items shown at a rank in (cutoff[c-1], cutoff[c]], so a list's item
// is entered once, and the items of the top cutoff[c] are the union of sets 0..c. Where ExposureParts ask for it, counts of
// the lists that showed each item, by the same bands, and for each cutoff the weights of OverlapFacts; what nobody adds costs
// nothing. Exposures form a semigroup under merge. Thread safety: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/window/item_set.h"
#include "recmeter/window/overlap_weights.h"
#include "recmeter/window/sum_parts.h"

namespace recmeter {

class Exposure {
 public:
  // `items` by rank, Interner::none where there is none.
  void add(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items);
  // The other two want each item of a list at its first rank alone, Interner::none elsewhere.
  void add_counts(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items);
  void add_overlap(std::span<const std::uint32_t> cutoffs, std::span<const Interner::Id> items, std::size_t group);
  void merge(const Exposure& other);
  void merge(Exposure&& other);

  [[nodiscard]] std::span<const ItemSet> sets() const { return sets_; }
  // By item, lists that showed it at a rank of the band, in parts; as many as sets, or none.
  [[nodiscard]] std::span<const SumParts> counts() const { return counts_; }
  // Of the top of each cutoff; as many as sets, or none.
  [[nodiscard]] std::span<const OverlapWeights> overlap() const { return overlap_; }
  // The same in other numbers: `to[id]` for each id.
  [[nodiscard]] Exposure translated(std::span<const std::uint32_t> to) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  std::vector<ItemSet> sets_;
  std::vector<SumParts> counts_;
  std::vector<OverlapWeights> overlap_;
};

}  // namespace recmeter
