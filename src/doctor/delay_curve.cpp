#include "doctor/delay_curve.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace recmeter::doctor {
namespace {

constexpr std::array<std::int64_t, 13> ladder{one_minute.ms,      5 * one_minute.ms, 10 * one_minute.ms, 15 * one_minute.ms,
                                              30 * one_minute.ms, one_hour.ms,       2 * one_hour.ms,    4 * one_hour.ms,
                                              8 * one_hour.ms,    12 * one_hour.ms,  one_day.ms,         2 * one_day.ms,
                                              7 * one_day.ms};
constexpr double kept = 0.99;
constexpr std::uint64_t enough = 100;  // actions: one is 1 %

}  // namespace

DelayCurve delay_curve(const JoinedLog& log, const JoinRule& rule, Duration lateness) {
  DelayCurve curve;
  std::set<std::tuple<std::int64_t, std::uint32_t, std::uint8_t>> credited;
  std::vector<std::int64_t> delays;
  std::uint64_t named = 0;
  std::uint64_t all = 0;
  for (const JoinedAction& action : log.actions()) {
    ++all;
    named += action.is_named() ? 1U : 0U;
    if (!action.in_list || !action.is_of_user || action.delay.ms < -rule.skew.ms) continue;
    const SeenAction& seen = *action.action;
    const Action& kind = rule.actions[seen.action];
    std::int64_t list = action.list;
    // Without a name it belongs to the newest list where the action before it is credited.
    if (kind.after) {
      const auto is_open = [&](std::int64_t of) {
        return credited.contains({of, seen.item, static_cast<std::uint8_t>(*kind.after)});
      };
      const auto lists = log.lists_of(seen.user.raw);
      const auto open = std::find_if(lists.rbegin(), lists.rend(), is_open);
      if (!action.is_named() && open != lists.rend()) list = *open;
      if (!is_open(list)) continue;
    }
    const std::int64_t delay = std::max<std::int64_t>(0, seen.ts - log.lists()[static_cast<std::size_t>(list)].first->ts);
    if (kind.horizon && delay >= kind.horizon->ms) continue;
    if (credited.emplace(list, seen.item, seen.action).second) delays.push_back(delay);
  }
  std::sort(delays.begin(), delays.end());
  curve.feedback = all * log.sample().one_in();
  curve.is_named = 2 * named > all;
  std::set<std::int64_t> horizons(ladder.begin(), ladder.end());
  for (const Duration configured : rule.horizons) horizons.insert(configured.ms);
  const auto within = [&](std::int64_t horizon) {
    return static_cast<std::uint64_t>(std::lower_bound(delays.begin(), delays.end(), horizon) - delays.begin());
  };
  const std::uint64_t most = within(*horizons.rbegin());
  for (const std::int64_t horizon : horizons) {
    const std::uint64_t count = within(horizon);
    curve.points.push_back({.horizon = Duration{horizon},
                            .credited = count * log.sample().one_in(),
                            .share = most == 0 ? 0 : static_cast<double>(count) / static_cast<double>(most),
                            .final_after = Duration{horizon} + rule.skew + lateness});
  }
  curve.advised = Duration{30 * one_minute.ms};
  curve.has_delays = delays.empty() || delays[delays.size() / 2] > 0;
  curve.has_enough = most >= enough;
  if (!curve.is_named || !curve.has_delays || !curve.has_enough) return curve;
  for (const std::int64_t horizon : ladder) {
    if (static_cast<double>(within(horizon)) < kept * static_cast<double>(most)) continue;
    curve.advised = Duration{horizon};
    break;
  }
  return curve;
}

}  // namespace recmeter::doctor
