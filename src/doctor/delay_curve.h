// DelayCurve: how much feedback each horizon would credit, by last touch ([S4]); what a shorter one loses, and when a longer
// one makes a window final. Each action is looked at by itself, so that a rare one is not drowned by clicks. Over the sampled
// users, scaled to all. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "doctor/joined_log.h"

namespace recmeter::doctor {

struct CurvePoint {
  Duration horizon;
  std::uint64_t credited = 0;  // (list, item, action) triples
  double share = 0;            // of those at the longest horizon of the curve
  Duration final_after;        // from the end of a window until its rows are final
};

// One action, without what chance explains.
struct ActionDelays {
  std::string name;
  std::uint64_t credited = 0;  // at 7d
  // The shortest horizon of the ladder that keeps 99 % of them. Nothing: there are hardly any, most have the time of their
  // list, or, where they name none, as many are on an item of a list that came only afterwards.
  std::optional<Duration> needed;
};

struct DelayCurve {
  std::vector<CurvePoint> points;     // by horizon: those of the ladder and the configured ones
  std::vector<ActionDelays> actions;  // as configured
  bool is_named = false;              // most feedback names its list; else lists are found by user and item, by chance too
  std::uint64_t feedback = 0;         // that took part
  std::uint64_t chance = 0;           // of what `advised` credits, as many are so by chance
  bool has_delays = true;             // not most have the time of their list
  bool has_enough = false;            // joined actions for a share of 99 %
  // As long as each action needs, and no less than `assemble`; at least 30m where one of the above is false.
  Duration advised;

  // The action that needs the most; null: none needs more than the usual 30m, and that is advised.
  [[nodiscard]] const ActionDelays* slowest() const;
};

[[nodiscard]] DelayCurve delay_curve(const JoinedLog& log, const JoinRule& rule, Duration lateness);

}  // namespace recmeter::doctor
