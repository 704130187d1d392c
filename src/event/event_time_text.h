// Event times as records write them: a number in a unit, or an RFC 3339 text. Both become whole milliseconds, floored.
//
// RFC 3339 is read by its grammar: `T` and `Z` in either case, an offset always (`Z`, `+hh:mm`, `-hh:mm`; `-00:00` is UTC), a
// fraction of any length, days that exist. The second 60 is read where a leap second can stand, at 23:59 UTC of the last
// day of a month, and is the second after 59: event time does not count leap seconds, so 23:59:60.5 is 00:00:00.5 of the
// next day, as POSIX has it. Nothing else is read: no space for `T`, no text without an offset, no space around.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/event/field_table.h"

namespace recmeter {

// Nothing when `value` lies outside [event_time_min, event_time_end). Requires: unit is not rfc3339.
[[nodiscard]] std::optional<EventTime> event_time_from(std::int64_t value, TimeUnit unit);

// Nothing when `text` is no RFC 3339 time; one of any year otherwise.
[[nodiscard]] std::optional<EventTime> parse_rfc3339(std::string_view text);

[[nodiscard]] constexpr bool is_event_time(EventTime t) {
  return t >= event_time_min && t < event_time_end;
}

}  // namespace recmeter
