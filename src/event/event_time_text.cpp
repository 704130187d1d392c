#include "recmeter/event/event_time_text.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "event/time_scanner.h"
#include "recmeter/base/check.h"
#include "recmeter/base/read_number.h"

namespace recmeter {
namespace {

bool is_end_of_month(std::int64_t days_since_epoch) {
  const std::chrono::year_month_day next{std::chrono::sys_days{std::chrono::days{days_since_epoch + 1}}};
  return next.day() == std::chrono::day{1};
}

CivilTime scan_date(TimeScanner& in) {
  CivilTime time;
  time.year = in.number(4, 9999);
  in.expect('-');
  time.month = in.number(2, 12);
  in.expect('-');
  time.day = in.number(2, 31);
  return time;
}

void scan_fraction(TimeScanner& in, CivilTime& time) {
  if (in.take('.')) time.millisecond = in.milliseconds();
}

std::optional<EventTime> in_utc(const CivilTime& time) {
  const auto local = time.local_ms();
  if (!local) return std::nullopt;
  return EventTime{*local - std::int64_t{*time.offset_minutes} * one_minute.ms};
}

}  // namespace

std::optional<std::int64_t> CivilTime::local_ms() const {
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t minutes =
      std::int64_t{std::chrono::sys_days{date}.time_since_epoch().count()} * 1440 + 60 * hour + minute;
  const std::int64_t utc = minutes - offset_minutes.value_or(0);
  const std::int64_t utc_day = floor_divide(utc, 1440);
  if (second == 60 && !(utc_day * 1440 + 1439 == utc && is_end_of_month(utc_day))) return std::nullopt;
  return minutes * one_minute.ms + second * 1000 + millisecond;
}

std::optional<EventTime> event_time_from(std::int64_t value, TimeUnit unit) {
  EventTime time;
  switch (unit) {
    case TimeUnit::seconds:
      // Before the product, which could overflow.
      if (value < event_time_min.ms / 1000 || value >= event_time_end.ms / 1000) return std::nullopt;
      time.ms = value * 1000;
      break;
    case TimeUnit::milliseconds: time.ms = value; break;
    case TimeUnit::microseconds: time.ms = floor_divide(value, 1'000); break;
    case TimeUnit::nanoseconds: time.ms = floor_divide(value, 1'000'000); break;
    default: RECMETER_CHECK(false, "the time is a text");
  }
  return is_event_time(time) ? std::optional(time) : std::nullopt;
}

std::optional<EventTime> parse_rfc3339(std::string_view text) {
  TimeScanner in(text);
  CivilTime time = scan_date(in);
  in.expect('T', 't');
  time.hour = in.number(2, 23);
  in.expect(':');
  time.minute = in.number(2, 59);
  in.expect(':');
  time.second = in.number(2, 60);
  scan_fraction(in, time);
  if (in.next_is('+') || in.next_is('-')) {
    time.offset_minutes = in.offset(true);
  } else {
    in.expect('Z', 'z');
    time.offset_minutes = 0;
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return in_utc(time);
}

std::optional<CivilTime> parse_iso(std::string_view text) {
  TimeScanner in(text);
  CivilTime time = scan_date(in);
  if (!in.take('T') && !in.take('t')) in.expect(' ');
  time.hour = in.number(2, 23);
  in.expect(':');
  time.minute = in.number(2, 59);
  if (in.take(':')) {
    time.second = in.number(2, 60);
    scan_fraction(in, time);
  }
  if (in.take('Z') || in.take('z') || in.take(" UTC")) {
    time.offset_minutes = 0;
  } else if (!in.at_end()) {
    time.offset_minutes = in.offset(false);
  }
  return in.ok() && in.at_end() ? std::optional(time) : std::nullopt;
}

std::optional<std::int64_t> parse_seconds(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const bool is_negative = text.starts_with('-');
  const auto read = read_number<std::int64_t>(text.substr(0, dot));
  if (!read) return std::nullopt;
  TimeScanner in(text.substr(dot));
  CivilTime fraction;
  scan_fraction(in, fraction);
  if (!in.ok() || !in.at_end()) return std::nullopt;
  // Beyond are no event times; the product cannot overflow.
  constexpr std::int64_t seconds_max = 10 * event_time_end.ms / 1000;
  const std::int64_t seconds = std::clamp(*read, -seconds_max, seconds_max);
  return seconds * 1000 + (is_negative ? -fraction.millisecond : fraction.millisecond);
}

std::optional<std::int64_t> parse_excel_days(std::string_view text) {
  constexpr std::int64_t days_of_1970 = 25'569;
  constexpr std::int64_t days_max = 1'000'000;  // beyond are no event times
  constexpr std::size_t digits_max = 11;        // of a fraction: a day in milliseconds times 10^11 is held by 64 bits
  const std::size_t dot = std::min(text.find('.'), text.size());
  const auto days = read_number<std::int64_t>(text.substr(0, dot));
  const std::string_view fraction = text.substr(std::min(dot + 1, text.size()));
  const bool is_decimal = fraction.find_first_not_of("0123456789") == std::string_view::npos;
  if (!days || *days < 0 || !is_decimal || text.ends_with('.')) return std::nullopt;
  std::int64_t part = 0, whole = 1;
  for (const char digit : fraction.substr(0, digits_max)) {
    part = 10 * part + (digit - '0');
    whole *= 10;
  }
  const std::int64_t ms = (part * one_day.ms + whole / 2) / whole;
  return (std::min(*days, days_max) - days_of_1970) * one_day.ms + ms;
}

std::optional<std::int64_t> parse_offset(std::string_view text) {
  TimeScanner in(text);
  const int minutes = in.offset(true);
  return in.ok() && in.at_end() ? std::optional(std::int64_t{minutes} * one_minute.ms) : std::nullopt;
}

}  // namespace recmeter
