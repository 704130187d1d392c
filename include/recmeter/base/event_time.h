// EventTime and Duration: event time in whole milliseconds, the only clock the core knows.
//
// Range: accepted event times lie in [event_time_min, event_time_end), 1980 to 2200, so sums and differences of a few of
// them and any configured duration cannot overflow. `minus_infinity` and `plus_infinity` are watermarks, never events.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace recmeter {

// A length of time in milliseconds; may be negative where a difference is meant.
struct Duration {
  std::int64_t ms = 0;
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ms + b.ms}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ms - b.ms}; }
};
inline constexpr Duration one_second{1000};
inline constexpr Duration one_minute{60 * one_second.ms};
inline constexpr Duration one_hour{60 * one_minute.ms};
inline constexpr Duration one_day{24 * one_hour.ms};

// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
struct EventTime {
  std::int64_t ms = 0;
  friend constexpr auto operator<=>(EventTime, EventTime) = default;
  friend constexpr EventTime operator+(EventTime t, Duration d) { return {t.ms + d.ms}; }
  friend constexpr EventTime operator-(EventTime t, Duration d) { return {t.ms - d.ms}; }
  friend constexpr Duration operator-(EventTime a, EventTime b) { return {a.ms - b.ms}; }
};

inline constexpr EventTime event_time_min{315532800000};   // 1980-01-01T00:00:00Z
inline constexpr EventTime event_time_end{7258118400000};  // 2200-01-01T00:00:00Z, exclusive
// A quarter of the range, so that adding or subtracting durations keeps the order.
inline constexpr EventTime minus_infinity{std::numeric_limits<std::int64_t>::min() / 4};
inline constexpr EventTime plus_infinity{std::numeric_limits<std::int64_t>::max() / 4};

}  // namespace recmeter
