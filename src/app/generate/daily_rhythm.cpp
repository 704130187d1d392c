#include "app/generate/daily_rhythm.h"

#include <algorithm>

namespace recmeter::generate {

namespace {

// One period over [0, 1) made of two parabolas, between -1 and 1, mean 0; starts at 0 and rises.
double wave(double x) {
  if (x < 0.5) return 16 * x * (0.5 - x);
  return -16 * (x - 0.5) * (1 - x);
}

}  // namespace

DailyRhythm::DailyRhythm(EventTime start, Duration span, double amplitude)
    : start_(start), midnight_{start.ms - start.ms % one_day.ms}, span_(span) {
  constexpr double rises_at = 14.0 / 24.0;  // so that the highest rate is at 20:00
  for (std::size_t minute = 0; minute < minutes; ++minute) {
    double x = (static_cast<double>(minute) + 0.5) / minutes - rises_at;
    if (x < 0) x += 1;
    due_[minute + 1] = due_[minute] + 1 + amplitude * wave(x);
  }
  first_ = due_until((start_ - midnight_).ms);
  total_ = due_until((start_ + span_ - midnight_).ms) - first_;
  minute_ = (start_ - midnight_).ms / one_minute.ms;
}

double DailyRhythm::due_until(std::int64_t ms) const noexcept {
  const auto in_day = static_cast<std::size_t>(ms % one_day.ms / one_minute.ms);
  const double within = static_cast<double>(ms % one_minute.ms) / static_cast<double>(one_minute.ms);
  return static_cast<double>(ms / one_day.ms) * due_[minutes] + due_[in_day] + within * (due_[in_day + 1] - due_[in_day]);
}

EventTime DailyRhythm::at(double share) noexcept {
  const double due = first_ + share * total_;
  while (due_until((minute_ + 1) * one_minute.ms) <= due) ++minute_;
  const double before = due_until(minute_ * one_minute.ms);
  const double in_minute = due_until((minute_ + 1) * one_minute.ms) - before;
  const double fraction = std::max(0.0, (due - before) / in_minute);
  const EventTime time{midnight_.ms + minute_ * one_minute.ms + static_cast<std::int64_t>(fraction * one_minute.ms)};
  return std::clamp(time, start_, start_ + span_ - Duration{1});
}

}  // namespace recmeter::generate
