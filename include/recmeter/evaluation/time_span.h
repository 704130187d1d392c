// TimeSpan: event times from one to another.
#pragma once

#include "recmeter/base/event_time.h"

namespace recmeter {

// Both ends belong to it.
struct TimeSpan {
  EventTime from;
  EventTime to;
  [[nodiscard]] bool contains(EventTime t) const { return from <= t && t <= to; }
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

}  // namespace recmeter
