// TimelineTable: who has lists or feedback in a shard, found by join key. A timeline without either is forgotten at once.
//
// A timeline stores no key text: its newest list or feedback does. Thread safety: none.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

// Two of them in a cache line: most of what a join costs is waiting for a timeline.
struct alignas(32) Timeline {
  static constexpr std::uint32_t not_heavy = 0xffffffff;

  std::uint64_t newest_list = 0;      // sequence + 1 in the ListLog; 0: none
  std::uint64_t newest_feedback = 0;  // sequence + 1 in the FeedbackLog; 0: none
  std::uint32_t tag = 0;              // the low bits of the join key's hash
  std::uint32_t heavy = not_heavy;    // index of its HeavyTimeline
  std::uint32_t feedback = 0;         // live ones
  std::uint32_t lists : 31 = 0;       // live ones
  bool nobody : 1 = false;
};
static_assert(sizeof(Timeline) == 32);

class TimelineTable {
 public:
  using Index = std::uint32_t;
  static constexpr Index none = 0xffffffff;

  // `memory` outlives the table.
  explicit TimelineTable(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  // The timeline with this hash for which `same(timeline)` holds, or none.
  template <class Same>
  [[nodiscard]] Index find(std::uint64_t hash, Same&& same) const {
    for (std::size_t at = hash & mask(); slots_[at].index != none; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.tag == tag_of(hash) && same(timelines_[slot.index])) return slot.index;
    }
    return none;
  }
  // Sets its tag.
  Index insert(std::uint64_t hash, Timeline timeline);
  void erase(Index index);

  [[nodiscard]] Timeline& at(Index index) { return timelines_[index]; }
  [[nodiscard]] const Timeline& at(Index index) const { return timelines_[index]; }
  [[nodiscard]] std::size_t size() const { return live_; }
  // Hide the latency of a look-up, or of erasing, that follows soon.
  void prefetch(std::uint64_t hash) const { fetch_ahead(&slots_[hash & mask()]); }
  void prefetch_at(Index index) const { fetch_ahead(&timelines_[index]); }
  void prefetch_slot_of(Index index) const { fetch_ahead(&slots_[timelines_[index].tag & mask()]); }
  // The timeline that is probably the one with this hash, found without looking at any timeline; nullptr when there is none.
  [[nodiscard]] const Timeline* likely(std::uint64_t hash) const {
    for (std::size_t at = hash & mask(); slots_[at].index != none; at = (at + 1) & mask()) {
      if (slots_[at].tag == tag_of(hash)) return &timelines_[slots_[at].index];
    }
    return nullptr;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    Index index = none;
  };
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  // The low bits: they say where a slot's home is, too, so that moving slots does not touch their timelines.
  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }
  void rebuild(std::size_t slots);

  std::pmr::vector<Timeline> timelines_;
  std::pmr::vector<Slot> slots_;  // open addressing, linear probing, at most half full, no tombstones
  std::pmr::vector<Index> free_;
  std::size_t live_ = 0;
};

}  // namespace recmeter
