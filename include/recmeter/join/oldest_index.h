// OldestIndex: which lists hold a key (an item), the earliest first. NewestIndex is the cheaper one for the other order.
//
// Thread safety: none. Invariants:
//   (1) the postings of a key are sorted by sequence and distinct;
//   (2) lists are forgotten oldest first, so what is forgotten is the first posting of each of its keys.
#pragma once

#include <cstdint>
#include <vector>

namespace recmeter {

class OldestIndex {
 public:
  // A place in a key's postings; 0: beyond the end.
  using Place = std::uint32_t;

  OldestIndex();

  // Does nothing when the posting is there already. Sequences come almost in order: a late row's list is a little older.
  void add(std::uint64_t key, std::uint64_t sequence);
  // Forgets the key's first posting if it is this one.
  void forget(std::uint64_t key, std::uint64_t sequence);

  [[nodiscard]] Place oldest(std::uint64_t key) const;
  [[nodiscard]] Place newer(Place place) const { return postings_[place].newer; }
  [[nodiscard]] std::uint64_t sequence(Place place) const { return postings_[place].sequence; }

 private:
  struct Posting {
    std::uint64_t sequence = 0;
    Place older = 0;
    Place newer = 0;
  };
  struct Slot {
    std::uint64_t key = 0;
    Place oldest = 0;  // 0: the slot is free
    Place newest = 0;
  };
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  // The key's slot, or the free one where it would be.
  [[nodiscard]] std::size_t find(std::uint64_t key) const;
  void erase(std::size_t slot);
  void grow();
  Place make(const Posting& posting);

  std::vector<Slot> slots_;  // open addressing, linear probing, at most half full, no tombstones
  std::size_t used_ = 0;
  std::vector<Posting> postings_;  // [0] stands for none
  std::vector<Place> free_;
};

}  // namespace recmeter
