// PairCounts: how often two items stand together, for each item its partners. Thread safety: none.
//
// Each item has a table of its own: an event is counted against all items of a history, which touches the table of its item
// again and again, and each of the others once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "recommend/models.h"

namespace recmeter {

class PairCounts {
 public:
  // One more of x with y and y with x. False: there would be more pairs than `pairs_max`. Requires: x != y.
  [[nodiscard]] bool add(std::uint32_t x, std::uint32_t y, std::size_t pairs_max) {
    if (at(partners_, x).add(y) && ++pairs_ > pairs_max) return false;
    at(partners_, y).add(x);
    return true;
  }

  // visit(partner, count) for each partner of x, in no order that means anything.
  template <class Visit>
  void for_each(std::uint32_t x, Visit&& visit) const {
    if (x < partners_.size()) partners_[x].for_each(visit);
  }

 private:
  // Open addressing, linear probing, at most half full.
  class Partners {
   public:
    // Whether it is new.
    bool add(std::uint32_t item) {
      if ((used_ + 1) * 2 > slots_.size()) grow();
      Slot& slot = slots_[find(item)];
      const bool is_new = slot.count == 0;
      slot.item = item;
      ++slot.count;
      used_ += is_new ? 1U : 0U;
      return is_new;
    }
    template <class Visit>
    void for_each(Visit& visit) const {
      for (const Slot& slot : slots_) {
        if (slot.count > 0) visit(slot.item, slot.count);
      }
    }

   private:
    struct Slot {
      std::uint32_t item = 0;
      std::uint32_t count = 0;  // 0: free
    };
    // Fibonacci hashing: items are small dense numbers.
    [[nodiscard]] std::size_t find(std::uint32_t item) const {
      std::size_t place = (item * 0x9e3779b97f4a7c15U >> 32U) & (slots_.size() - 1);
      while (slots_[place].count > 0 && slots_[place].item != item) place = (place + 1) & (slots_.size() - 1);
      return place;
    }
    void grow() {
      const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 8 : 2 * slots_.size()));
      for (const Slot& slot : old) {
        if (slot.count > 0) slots_[find(slot.item)] = slot;
      }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
  };

  std::vector<Partners> partners_;  // by item
  std::size_t pairs_ = 0;
};

}  // namespace recmeter
