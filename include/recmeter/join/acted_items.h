// ActedItems: what one user did, seen from a list that slides forward in time: how many items carry which largest gain.
//
// [S4.16], *missed*: items on which the user acted at some t with -skew <= t - L.ts < min(h, own horizon), by an action that
// was not undone in that span. For the lists of one user at one horizon, taken in time order, both ends of that span only
// move forward, so each feedback enters once and leaves once: a user with many lists and many actions costs their sum, not
// their product. What an action that can be undone came to is summed anew, from the feedback on its item within the span,
// where some of that entered or left. Thread safety: none; owned by one HeavyTimeline.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/join/scored_list.h"

namespace recmeter {

// A user's feedback of an action that can make an item missed, or takes such a one back, in the order of [S2.26].
struct ActedItem {
  EventTime ts;
  Interner::Id item;
  std::uint8_t action;
  bool is_relevant = true;           // false: its value makes it irrelevant
  std::optional<double> value = {};  // of an action that is undone, and of what undoes it
};

class ActedItems {
 public:
  // `gains`: per action what an item that was acted on counts; 0: nothing is missed by it.
  ActedItems(const JoinRule& rule, Duration horizon, std::span<const double> gains);

  // Moves to a list of time `ts`, not before the last one. `acted[i]` is the user's feedback number `first + i`.
  void slide_to(EventTime ts, std::span<const ActedItem> acted, std::uint64_t first);
  // The missed items of a list with these distinct items, by grade, descending. Returns their number.
  std::uint64_t missed(std::span<const Interner::Id> distinct_items, std::vector<GradeCount>& grades);
  // The first feedback that may still leave: earlier ones can be forgotten.
  [[nodiscard]] std::uint64_t needed_from() const { return leave_; }

 private:
  // How often each gain level was acted on an item, levels ascending by gain.
  using Levels = std::vector<std::uint32_t>;
  // An action that is undone, or what undoes it, within the span.
  struct Act {
    EventTime ts;
    bool takes_back = false;
    std::uint64_t number = 0;
    bool is_relevant = true;
    std::optional<double> value;

    // Before canonical bytes, which the numbers follow, what undoes comes last: [S4.5].
    friend bool operator<(const Act& a, const Act& b) {
      if (a.ts != b.ts) return a.ts < b.ts;
      return a.takes_back != b.takes_back ? b.takes_back : a.number < b.number;
    }
  };
  // All of them on one item, by one action and what undoes it.
  struct Account {
    std::deque<Act> acts;  // in order
    bool counts = false;   // the item is acted on by that action

    [[nodiscard]] bool is_act_left() const;
  };
  using AccountKey = std::pair<Interner::Id, std::uint8_t>;  // item, action that is undone

  // Says whether feedback of this action says something of what is missed.
  [[nodiscard]] bool looks_at(std::size_t action) const;
  void enter(const ActedItem& acted, std::uint64_t number);
  void leave(const ActedItem& acted, std::uint64_t number);
  void count(Interner::Id item, std::size_t action, int change);
  void settle(const AccountKey& key);
  [[nodiscard]] static int top_level(const Levels& levels);

  Duration skew_;
  std::vector<Duration> reach_;       // per action
  std::vector<int> level_;            // per action; -1: cannot make an item missed
  std::vector<std::size_t> undone_;   // per action: credit_rule::undone_actions()
  std::vector<double> gains_;         // per level, ascending
  std::vector<std::uint64_t> enter_;  // per action: feedback before this number has entered, if of this action
  std::uint64_t leave_ = 0;           // feedback before this number has left
  std::unordered_map<Interner::Id, Levels> items_;
  std::vector<std::uint64_t> items_at_level_;  // items whose top level it is
  std::map<AccountKey, Account> accounts_;
  std::set<AccountKey> unsettled_;  // accounts that changed since it was known whether they count
};

}  // namespace recmeter
