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

// Actions with equal, unequal and no gains, with `after` and with own horizons.
[[nodiscard]] inline JoinRule random_missed_rule(support::Dice& dice) {
  JoinRule rule;
  rule.skew = Duration{dice.between(0, 5)};
  rule.horizons = {Duration{40}, Duration{15}};
  rule.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}},
                  {.name = "like", .gain = 2, .after = {}, .horizon = Duration{dice.between(1, 40)}},
                  {.name = "view", .gain = 0, .after = {}, .horizon = {}},
                  {.name = "buy", .gain = 3, .after = 0, .horizon = {}},
                  {.name = "tap", .gain = 1, .after = {}, .horizon = Duration{dice.between(1, 20)}}};
  return rule;
}

[[nodiscard]] inline std::vector<ActedItem> random_acted(support::Dice& dice, std::size_t count) {
  std::vector<ActedItem> acted;
  std::int64_t ms = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    ms += dice.percent(5) ? 100 : static_cast<std::int64_t>(dice.below(4));  // gaps longer than the horizon too
    acted.push_back({EventTime{ms}, static_cast<Interner::Id>(dice.below(12)), static_cast<std::uint8_t>(dice.below(5))});
  }
  return acted;
}

[[nodiscard]] inline Grades brute_force_missed(const JoinRule& rule, Duration horizon, EventTime list,
                                               std::span<const Interner::Id> items, std::span<const ActedItem> acted) {
  std::map<Interner::Id, double> best;
  for (const ActedItem& feedback : acted) {
    const Action& action = rule.actions[feedback.action];
    const Duration delay = feedback.ts - list;
    if (action.gain == 0 || action.after || delay < Duration{0} - rule.skew) continue;
    if (delay >= std::min(horizon, action.horizon.value_or(horizon))) continue;
    if (std::find(items.begin(), items.end(), feedback.item) != items.end()) continue;
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
