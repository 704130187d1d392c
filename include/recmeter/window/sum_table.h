// SumTable: sums by key, of which most are zero and cost nothing. Thread safety: none. Invariant: at(key) is the sum, modulo
// 2^32, of what was added to the key, whatever the order; so what is added and taken off again leaves no trace.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recmeter {

class SumTable {
 public:
  // Returns the new sum. To take off is to add the negative.
  std::uint32_t add(std::uint32_t key, std::uint32_t by);
  [[nodiscard]] std::uint32_t at(std::uint32_t key) const;
  // Fetches what add() will look at, ahead of time.
  void prefetch(std::uint32_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(key)]);
  }

  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

  // visit(key, sum) for every sum that is not zero, in no order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.sum != 0) visit(slot.key, slot.sum);
    }
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t sum = 0;  // 0: the slot is free
  };
  // Every size of table has an order of its own: keys that came in the order of a larger table would crowd into one part of a
  // smaller one.
  [[nodiscard]] std::size_t home(std::uint32_t key) const {
    const auto bits = static_cast<std::uint64_t>(std::countr_zero(slots_.size()));
    return static_cast<std::size_t>((key * ((bits * 0xD6E8FEB86659FD93U) | 1)) >> (64 - bits));
  }
  [[nodiscard]] std::size_t find(std::uint32_t key) const;
  void erase(std::size_t at);
  void grow();

  std::vector<Slot> slots_;  // open addressing, linear probing; a power of two
  std::size_t used_ = 0;
};

}  // namespace recmeter
