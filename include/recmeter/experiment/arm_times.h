// ArmTimes: from when to when an arm has lists. A plain value.
#pragma once

#include <algorithm>

#include "recmeter/base/event_time.h"

namespace recmeter {

struct ArmTimes {
  EventTime first = plus_infinity;
  EventTime last = minus_infinity;  // before `first`: there is no list

  void add(EventTime time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
  ArmTimes& operator+=(const ArmTimes& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    return *this;
  }
  [[nodiscard]] bool is_empty() const { return last < first; }
  // Both have lists, and all of one lie before all of the other.
  [[nodiscard]] bool is_apart_from(const ArmTimes& other) const {
    return !is_empty() && !other.is_empty() && (last < other.first || other.last < first);
  }
};

}  // namespace recmeter
