// HeavyTimeline: indexes of a timeline with many lists or much feedback, so that one user with a fifth of all traffic costs
// no more than its share. A light timeline is scanned instead and has none. Thread safety: none; owned by one Joiner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/join/acted_items.h"
#include "recmeter/join/posting_index.h"

namespace recmeter {

class HeavyTimeline {
 public:
  HeavyTimeline(const JoinRule& rule, bool needs_missed);

  void add_list(std::uint64_t sequence, std::uint64_t list_id_hash) { by_id_.add(list_id_hash, sequence); }
  void add_item(std::uint64_t sequence, Interner::Id item) { by_item_.add(item, sequence); }
  void add_credit(std::uint64_t sequence, Interner::Id item) { by_credited_item_.add(item, sequence); }
  // Requires: the oldest list; `items` may repeat. `has_credits`: some feedback was credited to it.
  void forget_list(std::uint64_t sequence, std::uint64_t list_id_hash, std::span<const Interner::Id> items, bool has_credits);

  // Lists by the hash of their id, which has to be compared; by the items they hold; by the items some feedback was
  // credited to in them.
  [[nodiscard]] const PostingIndex& by_id() const { return by_id_; }
  [[nodiscard]] const PostingIndex& by_item() const { return by_item_; }
  [[nodiscard]] const PostingIndex& by_credited_item() const { return by_credited_item_; }

  void add_acted(const ActedItem& acted);
  // No list at or before `ts` will be asked for any more, at any horizon.
  void lists_passed(EventTime ts);
  // The missed items of the list at `ts`; lists of one horizon come in time order.
  std::uint64_t missed(std::size_t horizon, EventTime ts, std::span<const Interner::Id> distinct_items,
                       std::vector<GradeCount>& grades);

 private:
  void forget_acted();

  PostingIndex by_id_;
  PostingIndex by_item_;
  PostingIndex by_credited_item_;
  std::vector<ActedItem> acted_;
  std::uint64_t acted_begin_ = 0;    // number of acted_[0]
  std::vector<ActedItems> sliding_;  // per horizon
};

}  // namespace recmeter
