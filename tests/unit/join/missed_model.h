// What a list misses, straight from [S4], and random rules and feedback to try it on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "recmeter/join/acted_items.h"
#include "recmeter/join/join_rule.h"
#include "support/dice.h"

namespace recmeter::test {

using Grades = std::vector<std::pair<double, std::uint64_t>>;  // grade, items; largest first

// Actions with equal, unequal and no gains, with `after`, with own horizons, and with others that undo them.
[[nodiscard]] inline JoinRule random_missed_rule(support::Dice& dice) {
  JoinRule rule;
  rule.skew = Duration{dice.between(0, 5)};
  rule.horizons = {Duration{40}, Duration{15}};
  rule.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}},
                  {.name = "like", .gain = 2, .after = {}, .horizon = Duration{dice.between(1, 40)}},
                  {.name = "view", .gain = 0, .after = {}, .horizon = {}},
                  {.name = "buy", .gain = 3, .after = 0, .horizon = {}},
                  {.name = "tap", .gain = 1, .after = {}, .horizon = Duration{dice.between(1, 20)}},
                  {.name = "return", .gain = 0, .after = 1, .undoes = true, .horizon = Duration{dice.between(1, 40)}},
                  {.name = "refund", .gain = 0, .after = 4, .undoes = true, .horizon = {}}};
  return rule;
}

[[nodiscard]] inline std::vector<ActedItem> random_acted(support::Dice& dice, std::size_t count) {
  std::vector<ActedItem> acted;
  std::int64_t ms = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    ms += dice.percent(5) ? 100 : static_cast<std::int64_t>(dice.below(4));  // gaps longer than the horizon too
    ActedItem& one = acted.emplace_back(
        ActedItem{EventTime{ms}, static_cast<Interner::Id>(dice.below(12)), static_cast<std::uint8_t>(dice.below(7))});
    if (dice.percent(60)) one.value = dice.pick<double>({1, 2, 5, -1, 0.1, 0.2});
    one.is_relevant = one.action != 4 || dice.percent(80);
  }
  return acted;
}

// min(h, own horizon) after the list, and `skew` before it.
[[nodiscard]] inline bool is_in_range(const JoinRule& rule, Duration horizon, EventTime list, const ActedItem& feedback) {
  const Duration delay = feedback.ts - list;
  const auto own = rule.actions[feedback.action].horizon;
  return delay >= Duration{0} - rule.skew && delay < std::min(horizon, own.value_or(horizon));
}

// "over the user's b and its returns on the item in the list's range, as [S4.24] nets them, the net value is 0 and there is a
// return": by time, b before its returns.
[[nodiscard]] inline bool is_taken_back(const JoinRule& rule, Duration horizon, EventTime list, const ActedItem& of,
                                        std::span<const ActedItem> acted) {
  const auto undoes = [&](const Action& action) { return action.undoes && action.after == of.action; };
  if (std::none_of(rule.actions.begin(), rule.actions.end(), undoes)) return false;
  double paid = 0;
  bool is_returned = false;
  std::vector<ActedItem> range;
  for (const ActedItem& one : acted) {
    const bool is_return = rule.actions[one.action].undoes && rule.actions[one.action].after == of.action;
    if (one.item == of.item && (one.action == of.action || is_return) && is_in_range(rule, horizon, list, one)) {
      range.push_back(one);
    }
  }
  std::stable_sort(range.begin(), range.end(), [&](const ActedItem& a, const ActedItem& b) {
    return a.ts != b.ts ? a.ts < b.ts : a.action == of.action && b.action != of.action;
  });
  for (const ActedItem& one : range) {
    if (one.action == of.action) {
      paid += one.value.value_or(0);
    } else {
      paid -= one.value ? *one.value : std::max(paid, 0.0);
      is_returned = true;
    }
  }
  return is_returned && paid <= 0;
}

[[nodiscard]] inline Grades brute_force_missed(const JoinRule& rule, Duration horizon, EventTime list,
                                               std::span<const Interner::Id> items, std::span<const ActedItem> acted) {
  std::map<Interner::Id, double> best;
  for (const ActedItem& feedback : acted) {
    const Action& action = rule.actions[feedback.action];
    if (action.gain == 0 || action.after || !feedback.is_relevant) continue;
    if (!is_in_range(rule, horizon, list, feedback)) continue;
    if (std::find(items.begin(), items.end(), feedback.item) != items.end()) continue;
    if (is_taken_back(rule, horizon, list, feedback, acted)) continue;
    best[feedback.item] = std::max(best[feedback.item], action.gain);
  }
  std::map<double, std::uint64_t, std::greater<>> counts;
  for (const auto& [item, gain] : best) ++counts[gain];
  return {counts.begin(), counts.end()};
}

[[nodiscard]] inline Grades as_grades(std::span<const GradeCount> counts) {
  Grades grades;
  for (const GradeCount& count : counts) grades.emplace_back(count.grade, count.items);
  return grades;
}

[[nodiscard]] inline std::vector<Interner::Id> random_distinct_items(support::Dice& dice) {
  std::vector<Interner::Id> items;
  for (Interner::Id item = 0; item < 12; ++item) {
    if (dice.percent(20)) items.push_back(item);
  }
  return items;
}

}  // namespace recmeter::test
