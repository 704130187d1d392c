// The reader's clock: now, by this machine.
#pragma once

#include <chrono>

#include "recmeter/base/event_time.h"

namespace recmeter {

inline EventTime wall_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return EventTime{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
}

}  // namespace recmeter
