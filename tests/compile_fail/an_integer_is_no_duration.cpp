// A bare number could be seconds; a duration is asked for by name.
#include "recmeter/base/event_time.h"

namespace recmeter {

EventTime use(EventTime t) {
#ifdef MUST_NOT_COMPILE
  Duration d = 60000;
#else
  Duration d{60000};
#endif
  return t + d;
}

}  // namespace recmeter
