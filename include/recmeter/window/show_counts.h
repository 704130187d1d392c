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
    if (shown_.size() >= std::max(few, 2 * counted_)) add_up();
  }
  void add(Interner::Id item, std::uint32_t lists) { parts_.push_back({item, lists}); }
  void merge(const ShowCounts& other);
  // From now on each item comes in one part, until more is added or merged.
  void add_up();
  // The same in other numbers, `to[id]` for each id, every item in one part.
  [[nodiscard]] ShowCounts translated(std::span<const std::uint32_t> to) const;

  // visit(item, lists), in no promised order; an item may come in several parts.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each(visit, [](Interner::Id, int) {});
  }
  // fetch(item, step) is called some items ahead of a visit with step 0, nearer to it with step 1.
  template <class Visit, class Fetch>
  void for_each(Visit&& visit, Fetch&& fetch) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (i + 2 * ahead < parts_.size()) fetch(parts_[i + 2 * ahead].item, 0);
      if (i + ahead < parts_.size()) fetch(parts_[i + ahead].item, 1);
      visit(parts_[i].item, parts_[i].lists);
    }
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (i + 2 * ahead < shown_.size()) fetch(shown_[i + 2 * ahead], 0);
      if (i + ahead < shown_.size()) fetch(shown_[i + ahead], 1);
      visit(shown_[i], 1U);
    }
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
  static constexpr std::size_t ahead = 12;

  std::vector<Interner::Id> shown_;  // by lists not counted yet
  std::vector<Part> parts_;
  std::size_t counted_ = 0;  // how many parts there were when they were added up last
};

}  // namespace recmeter
