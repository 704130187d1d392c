// ActedItems: what one user did, seen from a list that slides forward in time: how many items carry which largest gain.
//
// [S4.16], *missed*: items on which the user acted at some t with -skew <= t - L.ts < min(h, own horizon). For the lists
// of one user at one horizon, taken in time order, both ends of that span only move forward, so each feedback enters once and
// leaves once: a user with many lists and many actions costs their sum, not their product. Thread safety: none; owned by one
// HeavyTimeline.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/join/scored_list.h"

namespace recmeter {

// A user's feedback of an action that can make an item missed, in time order.
struct ActedItem {
  EventTime ts;
  Interner::Id item;
  std::uint8_t action;
};

class ActedItems {
 public:
  // `gains`: per action what an item that was acted on counts; 0: nothing is missed by it.
  ActedItems(const JoinRule& rule, Duration horizon, std::span<const double> gains);

  // Moves to a list of time `ts`, not before the last one. `acted[i]` is the user's feedback number `first + i`.
  void slide_to(EventTime ts, std::span<const ActedItem> acted, std::uint64_t first);
  // The missed items of a list with these distinct items, by grade, descending. Returns their number.
  std::uint64_t missed(std::span<const Interner::Id> distinct_items, std::vector<GradeCount>& grades) const;
  // The first feedback that may still leave: earlier ones can be forgotten.
  [[nodiscard]] std::uint64_t needed_from() const { return leave_; }

 private:
  // How often each gain level was acted on an item, levels ascending by gain.
  using Levels = std::vector<std::uint32_t>;
  void count(const ActedItem& acted, int change);
  [[nodiscard]] static int top_level(const Levels& levels);

  Duration skew_;
  std::vector<Duration> reach_;       // per action
  std::vector<int> level_;            // per action; -1: cannot make an item missed
  std::vector<double> gains_;         // per level, ascending
  std::vector<std::uint64_t> enter_;  // per action: feedback before this number has entered, if of this action
  std::uint64_t leave_ = 0;           // feedback before this number has left
  std::unordered_map<Interner::Id, Levels> items_;
  std::vector<std::uint64_t> items_at_level_;  // items whose top level it is
};

}  // namespace recmeter
