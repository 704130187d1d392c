// HeavyTimeline: indexes of a timeline with many lists or much feedback, so that one user with a fifth of all traffic costs
// no more than its share. A light timeline is scanned instead and has none. Thread safety: none; owned by one Joiner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/join/acted_items.h"
#include "recmeter/join/newest_index.h"
#include "recmeter/join/oldest_index.h"

namespace recmeter {

class HeavyTimeline {
 public:
  // `missed_gains`: by view of what a list can miss, the grade of each action, or 0.
  HeavyTimeline(const JoinRule& rule, std::span<const std::vector<double>> missed_gains);

  void add_list(std::uint64_t sequence, std::uint64_t list_id_hash) { by_id_.add(list_id_hash, sequence); }
  void add_items(std::uint64_t sequence, std::span<const Interner::Id> items);
  void add_credit(std::uint64_t sequence, Interner::Id item);
  // Requires: the oldest list; `items` may repeat. `has_credits`: some feedback was credited to it.
  void forget_list(std::uint64_t sequence, std::span<const Interner::Id> items, bool has_credits);

  // By the hash of the list's id, which has to be compared.
  [[nodiscard]] const NewestIndex& by_id() const { return by_id_; }
  // Calls visit(sequence) for the lists that hold the item, or to which some feedback for it was credited, while it returns
  // true: the latest first, or the earliest first where that is what gets the credit.
  template <class Visit>
  void visit_with_item(Interner::Id item, bool credited, Visit&& visit) const {
    if (earliest_first_) {
      const OldestIndex& index = credited ? credited_from_oldest_ : items_from_oldest_;
      for (auto at = index.oldest(item); at != 0 && visit(index.sequence(at)); at = index.newer(at)) {
      }
    } else {
      const NewestIndex& index = credited ? by_credited_item_ : by_item_;
      for (auto at = index.newest(item); at != 0 && visit(index.sequence(at)); at = index.older(at)) {
      }
    }
  }

  void add_acted(const ActedItem& acted);
  // No list at or before `ts` will be asked for any more, at any horizon.
  void lists_passed(EventTime ts);
  // The missed items of the list at `ts` in this view; lists of one horizon come in time order.
  std::uint64_t missed(std::size_t view, std::size_t horizon, EventTime ts, std::span<const Interner::Id> distinct_items,
                       std::vector<GradeCount>& grades);

 private:
  void forget_acted();

  bool earliest_first_;
  NewestIndex by_id_;
  NewestIndex by_item_;
  NewestIndex by_credited_item_;
  OldestIndex items_from_oldest_;  // these two instead of those two where the earliest list gets the credit
  OldestIndex credited_from_oldest_;
  std::vector<ActedItem> acted_;
  std::uint64_t acted_begin_ = 0;  // number of acted_[0]
  std::size_t horizons_;
  std::vector<ActedItems> sliding_;  // by view, per horizon
};

}  // namespace recmeter
