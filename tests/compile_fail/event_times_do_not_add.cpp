// Two points in time have a difference, not a sum.
#include "recmeter/base/event_time.h"

namespace recmeter {

auto from(EventTime a, EventTime b) {
#ifdef MUST_NOT_COMPILE
  return a + b;
#else
  return a - b;
#endif
}

}  // namespace recmeter
