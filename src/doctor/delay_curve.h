// DelayCurve: how much feedback each horizon would credit, by last touch ([S4]); what a shorter one loses, and when a longer
// one makes a window final. Over the sampled users, scaled to all. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "doctor/joined_log.h"

namespace recmeter::doctor {

struct CurvePoint {
  Duration horizon;
  std::uint64_t credited = 0;  // (list, item, action) triples
  double share = 0;            // of those at the longest horizon of the curve
  Duration final_after;        // from the end of a window until its rows are final
};

struct DelayCurve {
  std::vector<CurvePoint> points;  // by horizon: those of the ladder and the configured ones
  bool is_named = false;           // most feedback names its list; else lists are found by user and item, by chance too
  std::uint64_t feedback = 0;      // that took part
  bool has_delays = true;          // not most have the time of their list
  bool has_enough = false;         // joined actions for a share of 99 %
  Duration advised;                // the smallest of the ladder that keeps 99 %; 30m where one of the above is false
};

[[nodiscard]] DelayCurve delay_curve(const JoinedLog& log, const JoinRule& rule, Duration lateness);

}  // namespace recmeter::doctor
