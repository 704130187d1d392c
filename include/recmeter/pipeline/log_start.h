// LogStart: since when all events are there, and which may be missing since. SEMANTICS §7, `incomplete`.
#pragma once

#include <vector>

#include "recmeter/pipeline/lost_records.h"

namespace recmeter {

struct LogStart {
  // The smallest time of the events accepted so far.
  EventTime first_event = plus_infinity;
  // Of each partition entered in the middle the smallest time, and of these the largest.
  EventTime first_after_cut = minus_infinity;
  // Of all partitions.
  std::vector<TimeSpan> lost = {};
};

}  // namespace recmeter
