// DailyRhythm: when the lists are shown. The rate follows the hour of the day (UTC): lowest at 08:00, highest at 20:00, a
// smooth wave of the given amplitude around the mean, constant within each minute.
//
// Thread safety: none (a cursor). Invariant: at() never goes back when its argument does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "recmeter/base/event_time.h"

namespace recmeter::generate {

class DailyRhythm {
 public:
  // Requires: span > 0, amplitude in [0, 1).
  DailyRhythm(EventTime start, Duration span, double amplitude);

  // The time in [start, start + span) by which the share `share` of all lists has been shown.
  // Requires: 0 <= share < 1, not below that of the last call.
  [[nodiscard]] EventTime at(double share) noexcept;

 private:
  static constexpr std::size_t minutes = 24 * 60;
  // Lists due, in minutes of mean rate, from the midnight before start_ to `ms` after that midnight.
  [[nodiscard]] double due_until(std::int64_t ms) const noexcept;

  EventTime start_;
  EventTime midnight_;
  Duration span_;
  std::array<double, minutes + 1> due_{};  // within a day
  double first_;                           // due_until(start_)
  double total_;                           // due within the span
  std::int64_t minute_;                    // cursor: since midnight_
};

}  // namespace recmeter::generate
