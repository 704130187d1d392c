// The credit rule: which lists feedback fits, and which of them it is credited to. [S4.6], [S4.8]. Stated once, for the
// joiner, which finds the lists fast, and for `explain`, which says why one was not credited. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/join/scored_list.h"

namespace recmeter::credit_rule {

// `delay`: from the list to the feedback; `reach`: JoinRule::reach() of its action at a horizon.
[[nodiscard]] constexpr bool is_too_early(Duration delay, Duration skew) {
  return delay < Duration{0} - skew;
}
[[nodiscard]] constexpr bool is_too_late(Duration delay, Duration reach) {
  return delay >= reach;
}
[[nodiscard]] constexpr bool is_in_time(Duration delay, Duration reach, Duration skew) {
  return !is_too_early(delay, skew) && !is_too_late(delay, reach);
}

// Whether a row that came at `row` had shown its item by the feedback.
[[nodiscard]] constexpr bool is_shown_by(EventTime row, EventTime feedback, Duration skew) {
  return row <= feedback + skew;
}

// Whether an action on an item that is not in the list counts as one that it missed.
[[nodiscard]] inline bool can_be_missed(const Action& action) {
  return action.gain > 0 && !action.after;
}

// Per action: its gain, or 0 where nothing is missed by it.
[[nodiscard]] inline std::vector<double> missed_gains(const JoinRule& rule) {
  std::vector<double> gains;
  for (const Action& action : rule.actions) gains.push_back(can_be_missed(action) ? action.gain : 0);
  return gains;
}

// Per action: the action whose worth it adds to or takes from, where that is undone by some action; else AskedAction::none.
[[nodiscard]] inline std::vector<std::size_t> undone_actions(const JoinRule& rule) {
  std::vector<std::size_t> undone(rule.actions.size(), AskedAction::none);
  for (std::size_t action = 0; action < rule.actions.size(); ++action) {
    if (!rule.actions[action].undoes) continue;
    undone[action] = undone[*rule.actions[action].after] = *rule.actions[action].after;
  }
  return undone;
}

struct Candidate {
  EventTime ts;
  std::string_view list_id;
  std::uint64_t opened = 0;  // its place in the order in which lists opened
};
// Which of two lists that the feedback fits takes the credit; where one does. Of equal times the id decides, by its bytes,
// and of equal ids which opened later.
[[nodiscard]] inline bool is_chosen_over(const Candidate& a, const Candidate& b, Credit credit) {
  const bool last = credit == Credit::last_touch;
  if (a.ts != b.ts) return last ? b.ts < a.ts : a.ts < b.ts;
  if (a.list_id != b.list_id) return last ? a.list_id > b.list_id : a.list_id < b.list_id;
  return last ? a.opened > b.opened : a.opened < b.opened;
}

}  // namespace recmeter::credit_rule
