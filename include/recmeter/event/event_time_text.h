// Event times as records write them: a number in a unit, or a text. All become whole milliseconds, floored.
//
// RFC 3339 is read by its grammar: `T` and `Z` in either case, an offset always (`Z`, `+hh:mm`, `-hh:mm`; `-00:00` is UTC), a
// fraction of any length, days that exist. The second 60 is read where a leap second can stand, at 23:59 UTC of the last
// day of a month, and is the second after 59: event time does not count leap seconds, so 23:59:60.5 is 00:00:00.5 of the
// next day, as POSIX has it. Nothing else is read: no space for `T`, no text without an offset, no space around.
//
// ISO 8601 is wider: a blank for `T`, no seconds, an offset as `+hh`, `+hhmm`, ` UTC` or none.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/event/time_form.h"

namespace recmeter {

// Rounds down, for negative values too. Requires: by > 0.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// A date and a time of day as a text has it.
struct CivilTime {
  int year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;  // 60: a leap second
  int millisecond = 0;
  std::optional<int> offset_minutes = {};  // how far its clock is ahead of UTC; nothing: it does not say

  // Milliseconds from 1970-01-01T00:00 on its clock. Nothing when there is no such day, or no second 60.
  [[nodiscard]] std::optional<std::int64_t> local_ms() const;
};

// Nothing when `value` lies outside [event_time_min, event_time_end). Requires: a unit of whole numbers.
[[nodiscard]] std::optional<EventTime> event_time_from(std::int64_t value, TimeUnit unit);

// Nothing when `text` is no RFC 3339 time; one of any year otherwise.
[[nodiscard]] std::optional<EventTime> parse_rfc3339(std::string_view text);
[[nodiscard]] std::optional<CivilTime> parse_iso(std::string_view text);
// Decimal seconds without an exponent, "1699920000.25", as milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_seconds(std::string_view text);
// Decimal days from 1899-12-30, as milliseconds from 1970-01-01T00:00 on the same clock, to the nearest.
[[nodiscard]] std::optional<std::int64_t> parse_excel_days(std::string_view text);
// `+01:00` in milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_offset(std::string_view text);

[[nodiscard]] constexpr bool is_event_time(EventTime t) {
  return t >= event_time_min && t < event_time_end;
}

}  // namespace recmeter
