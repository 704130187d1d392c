// HeavyTimeline: indexes of a timeline with many lists or much feedback, so that one user with a fifth of all traffic costs
// no more than its share. A light timeline is scanned instead and has none. Thread safety: none; owned by one Joiner.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/join/acted_items.h"

namespace recmeter {

// Sequence numbers of lists, ascending; the front is forgotten as the lists are.
class SequenceQueue {
 public:
  void insert(std::uint64_t sequence);
  void forget_up_to(std::uint64_t sequence);
  [[nodiscard]] std::span<const std::uint64_t> live() const { return std::span(sequences_).subspan(begin_); }

 private:
  std::vector<std::uint64_t> sequences_;
  std::size_t begin_ = 0;
};

class HeavyTimeline {
 public:
  HeavyTimeline(const JoinRule& rule, bool needs_missed);

  void add_list(std::uint64_t sequence, std::uint64_t list_id_hash) { by_id_[list_id_hash].insert(sequence); }
  void add_item(std::uint64_t sequence, Interner::Id item) { by_item_[item].insert(sequence); }
  void forget_list(std::uint64_t sequence, std::uint64_t list_id_hash, std::span<const Interner::Id> items);
  // Candidates, oldest first; the lists' ids have to be compared.
  [[nodiscard]] std::span<const std::uint64_t> lists_with_id(std::uint64_t list_id_hash) const;
  [[nodiscard]] std::span<const std::uint64_t> lists_with_item(Interner::Id item) const;

  void add_acted(const ActedItem& acted);
  // No list at or before `ts` will be asked for any more, at any horizon.
  void lists_passed(EventTime ts);
  // The missed items of the list at `ts`; lists of one horizon come in time order.
  std::uint64_t missed(std::size_t horizon, EventTime ts, std::span<const Interner::Id> distinct_items,
                       std::vector<GradeCount>& grades);

 private:
  void forget_acted();

  std::unordered_map<std::uint64_t, SequenceQueue> by_id_;
  std::unordered_map<Interner::Id, SequenceQueue> by_item_;
  std::vector<ActedItem> acted_;
  std::uint64_t acted_begin_ = 0;    // number of acted_[0]
  std::vector<ActedItems> sliding_;  // per horizon
};

}  // namespace recmeter
