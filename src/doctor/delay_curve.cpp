#include "doctor/delay_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

namespace recmeter::doctor {
namespace {

constexpr std::array<std::int64_t, 13> ladder{one_minute.ms,      5 * one_minute.ms, 10 * one_minute.ms, 15 * one_minute.ms,
                                              30 * one_minute.ms, one_hour.ms,       2 * one_hour.ms,    4 * one_hour.ms,
                                              8 * one_hour.ms,    12 * one_hour.ms,  one_day.ms,         2 * one_day.ms,
                                              7 * one_day.ms};
constexpr double lost = 0.01;
constexpr std::uint64_t enough = 100;  // actions: one is 1 %
constexpr std::uint64_t handful = 5;   // of one action
constexpr Duration usual_horizon{30 * one_minute.ms};

using Triple = std::tuple<std::int64_t, std::uint32_t, std::uint8_t>;  // list, item, action

// Delays of one action, in ms; ascending once all are there.
struct Delays {
  std::vector<std::int64_t> after_list;
  // For those that name no list: how long until the next list with their item. Chance finds as many before as behind.
  std::vector<std::int64_t> before_list;

  void sort() {
    std::sort(after_list.begin(), after_list.end());
    std::sort(before_list.begin(), before_list.end());
  }
};

std::uint64_t within(const std::vector<std::int64_t>& delays, std::int64_t horizon) {
  return static_cast<std::uint64_t>(std::lower_bound(delays.begin(), delays.end(), horizon) - delays.begin());
}

class Credits {
 public:
  Credits(const JoinedLog& log, const JoinRule& rule) : log_(log), rule_(rule), delays_(rule.actions.size()) {
    for (const JoinedAction& action : log.actions()) add(action);
    for (Delays& delays : delays_) delays.sort();
  }

  [[nodiscard]] const std::vector<Delays>& delays() const { return delays_; }

 private:
  void add(const JoinedAction& action) {
    const SeenAction& seen = *action.action;
    const Action& kind = rule_.actions[seen.action];
    if (!action.is_named() && !kind.after) add_chance(seen);
    if (!action.in_list || !action.is_of_user || action.delay.ms < -rule_.skew.ms) return;
    std::int64_t list = action.list;
    // Without a name it belongs to the newest list where the action before it is credited.
    if (kind.after) {
      const auto is_open = [&](std::int64_t of) {
        return credited_.contains({of, seen.item, static_cast<std::uint8_t>(*kind.after)});
      };
      const auto lists = log_.lists_of(seen.user.raw);
      const auto open = std::find_if(lists.rbegin(), lists.rend(), is_open);
      if (!action.is_named() && open != lists.rend()) list = *open;
      if (!is_open(list)) return;
    }
    const std::int64_t delay = std::max<std::int64_t>(0, seen.ts - ts_of(list));
    if (kind.horizon && delay >= kind.horizon->ms) return;
    if (credited_.emplace(list, seen.item, seen.action).second) delays_[seen.action].after_list.push_back(delay);
  }

  void add_chance(const SeenAction& seen) {
    const std::int64_t list = log_.next_list_with(seen);
    if (list < 0 || !met_.emplace(list, seen.item, seen.action).second) return;
    delays_[seen.action].before_list.push_back(ts_of(list) - seen.ts);
  }

  [[nodiscard]] std::int64_t ts_of(std::int64_t list) const { return log_.lists()[static_cast<std::size_t>(list)].first->ts; }

  const JoinedLog& log_;
  const JoinRule& rule_;
  std::set<Triple> credited_, met_;
  std::vector<Delays> delays_;
};

// Credit from `horizon` on beyond what chance explains, as far as that is more than noise.
double excess_from(const Delays& delays, std::int64_t horizon) {
  const auto behind = [&](const std::vector<std::int64_t>& of) {
    return static_cast<double>(within(of, ladder.back()) - within(of, horizon));
  };
  const double chance = behind(delays.before_list);
  return behind(delays.after_list) - chance - 3 * std::sqrt(2 * chance);
}

bool has_delays(const std::vector<std::int64_t>& sorted) {
  return sorted.empty() || sorted[sorted.size() / 2] > 0;
}

std::optional<Duration> needed(const Delays& delays, Duration assemble) {
  const auto all = static_cast<double>(within(delays.after_list, ladder.back()));
  if (all < handful || !has_delays(delays.after_list) || excess_from(delays, 0) <= 0) return std::nullopt;
  for (const std::int64_t horizon : ladder) {
    if (horizon >= assemble.ms && excess_from(delays, horizon) <= lost * all) return Duration{horizon};
  }
  return Duration{ladder.back()};
}

}  // namespace

const ActionDelays* DelayCurve::slowest() const {
  const auto at =
      std::max_element(actions.begin(), actions.end(), [](const auto& a, const auto& b) { return a.needed < b.needed; });
  return at == actions.end() || at->needed != advised ? nullptr : &*at;
}

DelayCurve delay_curve(const JoinedLog& log, const JoinRule& rule, Duration lateness) {
  DelayCurve curve;
  std::uint64_t named = 0;
  for (const JoinedAction& action : log.actions()) named += action.is_named() ? 1U : 0U;
  curve.feedback = log.actions().size() * log.sample().one_in();
  curve.is_named = 2 * named > log.actions().size();
  const Credits credits(log, rule);
  std::vector<std::int64_t> delays;
  std::uint64_t told = 0;
  for (std::size_t i = 0; i < rule.actions.size(); ++i) {
    const Delays& own = credits.delays()[i];
    delays.insert(delays.end(), own.after_list.begin(), own.after_list.end());
    const std::uint64_t most = within(own.after_list, ladder.back());
    curve.actions.push_back(
        {.name = rule.actions[i].name, .credited = most * log.sample().one_in(), .needed = needed(own, rule.assemble)});
    if (curve.actions.back().needed) told += most;
    curve.advised = std::max(curve.advised, curve.actions.back().needed.value_or(rule.assemble));
  }
  std::sort(delays.begin(), delays.end());
  std::set<std::int64_t> horizons(ladder.begin(), ladder.end());
  for (const Duration configured : rule.horizons) horizons.insert(configured.ms);
  const std::uint64_t most = within(delays, *horizons.rbegin());
  for (const std::int64_t horizon : horizons) {
    const std::uint64_t count = within(delays, horizon);
    curve.points.push_back({.horizon = Duration{horizon},
                            .credited = count * log.sample().one_in(),
                            .share = most == 0 ? 0 : static_cast<double>(count) / static_cast<double>(most),
                            .final_after = Duration{horizon} + rule.skew + lateness});
  }
  curve.has_delays = has_delays(delays);
  curve.has_enough = told >= enough;
  if (!curve.is_named || !curve.has_delays || !curve.has_enough) curve.advised = std::max(curve.advised, usual_horizon);
  for (const Delays& own : credits.delays()) {
    curve.chance += within(own.before_list, curve.advised.ms) * log.sample().one_in();
  }
  return curve;
}

}  // namespace recmeter::doctor
