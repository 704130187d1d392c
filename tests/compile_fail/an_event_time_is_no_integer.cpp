// Out of the type only by name: `.ms` says the unit.
#include <cstdint>

#include "recmeter/base/event_time.h"

namespace recmeter {

std::int64_t use(EventTime t) {
#ifdef MUST_NOT_COMPILE
  std::int64_t ms = t;
#else
  std::int64_t ms = t.ms;
#endif
  return ms;
}

}  // namespace recmeter
