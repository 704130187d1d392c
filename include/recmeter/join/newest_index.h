// NewestIndex: which lists hold a key (an item, a list id), the latest first.
//
// What is forgotten is not looked for: a list's postings end where its sequence number is too small, and their memory, a ring
// in the order they came in, is given back from its front. So adding a posting touches one place in memory and forgetting it
// none, which is what one user with a fifth of all traffic costs.
//
// Thread safety: none. Invariant: the postings of a key are sorted by sequence and distinct.
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/ring.h"

namespace recmeter {

class NewestIndex {
 public:
  // A place in a key's postings; 0: beyond the end.
  using Place = std::uint64_t;

  NewestIndex();

  // Does nothing when the posting is there already. Sequences come almost in order: a late row's list is a little older.
  void add(std::uint64_t key, std::uint64_t sequence);
  // Hides the latency of an add() that follows soon.
  void prefetch(std::uint64_t key) const { fetch_ahead(&slots_[home(key)]); }
  // Forgets every posting of a smaller sequence.
  void forget_before(std::uint64_t sequence);

  [[nodiscard]] Place newest(std::uint64_t key) const { return known(slots_[find(key)].newest); }
  [[nodiscard]] Place older(Place place) const { return known(postings_.at(place - 1).older); }
  [[nodiscard]] std::uint64_t sequence(Place place) const { return postings_.at(place - 1).sequence; }

 private:
  struct Posting {
    std::uint64_t sequence = 0;
    Place older = 0;  // 0, or forgotten by now: the last
  };
  struct Slot {
    std::uint64_t key = 0;
    Place newest = 0;  // 0: the slot is free
  };
  // The place, or 0 when it is forgotten.
  [[nodiscard]] Place known(Place place) const { return place > postings_.begin() && sequence(place) >= begin_ ? place : 0; }
  [[nodiscard]] std::size_t home(std::uint64_t key) const;
  // The key's slot, or the free one where it would be.
  [[nodiscard]] std::size_t find(std::uint64_t key) const;
  void rebuild();

  std::vector<Slot> slots_;  // open addressing, linear probing, at most half full; some of keys without a posting
  std::size_t used_ = 0;
  Ring<Posting> postings_;  // a place is a number there + 1
  std::uint64_t begin_ = 0;
};

}  // namespace recmeter
