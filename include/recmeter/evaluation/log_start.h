// LogStart: since when all events are there, which may be missing since, and which a replay may judge otherwise.
// [S7.9] to [S7.14], `incomplete`.
#pragma once

#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/time_span.h"

namespace recmeter {

struct LogStart {
  // The smallest time of the events accepted so far.
  EventTime first_event = plus_infinity;
  // Of each partition entered in the middle the smallest time, and of these the largest.
  EventTime first_after_cut = minus_infinity;
  // Of all partitions.
  std::vector<TimeSpan> lost = {};
  std::vector<TimeSpan> late_after_idle = {};
  std::vector<TimeSpan> future_by_clock = {};
};

}  // namespace recmeter
