// ShowCounts: how many lists of a cell showed each item. Items are written down as they come and counted when they are many,
// so that a list costs a write and no look-up; counts that are merged are only put beside each other until they are many too.
// Fewer than 2^32 lists. Thread safety: none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"

namespace recmeter {

class ShowCounts {
 public:
  void add(Interner::Id item) {
    shown_.push_back(item);
    if (shown_.size() >= std::max(few, 2 * counted_)) count();
  }
  void merge(const ShowCounts& other);
  // The same in other numbers, `to[id]` for each id, every item in one part.
  [[nodiscard]] ShowCounts translated(std::span<const std::uint32_t> to) const;

  // visit(item, lists), in no promised order; an item may come in several parts.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Part& part : parts_) visit(part.item, part.lists);
    for (const Interner::Id item : shown_) visit(item, 1U);
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return shown_.capacity() * sizeof(Interner::Id) + parts_.capacity() * sizeof(Part);
  }

 private:
  struct Part {
    Interner::Id item;
    std::uint32_t lists;
  };
  static constexpr std::size_t few = 256;
  void count();

  std::vector<Interner::Id> shown_;  // by lists not counted yet
  std::vector<Part> parts_;
  std::size_t counted_ = 0;  // how many parts there were when they were added up last
};

}  // namespace recmeter
