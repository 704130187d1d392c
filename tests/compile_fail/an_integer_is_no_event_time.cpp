// A bare number could be seconds; an event time is asked for by name.
#include "recmeter/base/event_time.h"

namespace recmeter {

EventTime first(EventTime t);

EventTime use() {
#ifdef MUST_NOT_COMPILE
  return first(1700000000000);
#else
  return first(EventTime{1700000000000});
#endif
}

}  // namespace recmeter
