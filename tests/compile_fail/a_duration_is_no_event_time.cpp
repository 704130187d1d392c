// How long is not when.
#include "recmeter/base/event_time.h"

namespace recmeter {

EventTime use(EventTime t, Duration d) {
#ifdef MUST_NOT_COMPILE
  EventTime end = d;
#else
  EventTime end = t + d;
#endif
  return end;
}

}  // namespace recmeter
