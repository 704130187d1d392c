// DistinctRanks: how many distinct items the first ranks of a list show. Keeps its memory from list to list. Thread safety:
// none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"

namespace recmeter {

class DistinctRanks {
 public:
  // `items` by rank, Interner::none where there is none. Expected time linear in their number.
  void count(std::span<const Interner::Id> items);
  // [i]: distinct items in the first i ranks of the list counted last. Valid until the next count().
  [[nodiscard]] std::span<const std::uint32_t> counts() const { return counts_; }
  // Whether that list shows an item at this rank, from 0, that no rank before it does.
  [[nodiscard]] bool is_first(std::size_t rank) const { return counts_[rank + 1] > counts_[rank]; }

 private:
  bool is_new(std::span<const Interner::Id> items, std::size_t rank);

  std::vector<std::uint32_t> counts_;
  std::vector<Interner::Id> seen_;  // a hash table for long lists, Interner::none where free
};

}  // namespace recmeter
