#include "support/event_clock.h"

#include <array>
#include <cstddef>

#include "recmeter/base/event_time.h"

namespace recmeter::support {
namespace {

__extension__ using Wide = __int128;

std::optional<std::int64_t> in_range(Wide ms) {
  if (ms < event_time_min.ms || ms >= event_time_end.ms) return std::nullopt;
  return static_cast<std::int64_t>(ms);
}

bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[static_cast<std::size_t>(month - 1)];
}

std::int64_t days_since_epoch(std::int64_t year, std::int64_t month, std::int64_t day) {
  std::int64_t days = 0;
  for (std::int64_t y = 1970; y < year; ++y) days += is_leap(y) ? 366 : 365;
  for (std::int64_t y = year; y < 1970; ++y) days -= is_leap(y) ? 366 : 365;
  for (std::int64_t m = 1; m < month; ++m) days += days_of_month(year, m);
  return days + day - 1;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool number(std::size_t width, std::int64_t least, std::int64_t most, std::int64_t& out) {
    if (text_.size() < width) return false;
    out = 0;
    for (const char c : text_.substr(0, width)) {
      if (c < '0' || c > '9') return false;
      out = out * 10 + (c - '0');
    }
    text_.remove_prefix(width);
    return out >= least && out <= most;
  }

  bool one_of(std::string_view choices, char& out) {
    if (text_.empty() || choices.find(text_.front()) == std::string_view::npos) return false;
    out = text_.front();
    text_.remove_prefix(1);
    return true;
  }

  bool skip(char c) {
    char taken = 0;
    return one_of(std::string_view(&c, 1), taken);
  }

  // Any number of digits, at least one; the first three are milliseconds.
  bool fraction(std::int64_t& ms) {
    std::int64_t scale = 100;
    std::size_t digits = 0;
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
      ms += (text_.front() - '0') * scale;
      scale /= 10;
      ++digits;
      text_.remove_prefix(1);
    }
    return digits > 0;
  }

  [[nodiscard]] bool ended() const { return text_.empty(); }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<std::int64_t> integer_time(std::string_view digits, TimeUnit unit) {
  // 30 digits hold any time in range in any unit; JSON has no leading zeros.
  if (digits.empty() || digits.front() == '-' || digits.size() > 30) return std::nullopt;
  Wide number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  switch (unit) {
    case TimeUnit::seconds: return in_range(number * 1000);
    case TimeUnit::milliseconds: return in_range(number);
    case TimeUnit::microseconds: return in_range(number / 1000);
    case TimeUnit::nanoseconds: return in_range(number / 1000000);
    default: return std::nullopt;
  }
  return std::nullopt;
}

Rfc3339Time rfc3339_time(std::string_view text) {
  Scanner in(text);
  std::int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0;
  char letter = 0;
  if (!in.number(4, 0, 9999, year) || !in.skip('-') || !in.number(2, 1, 12, month) || !in.skip('-')) return {};
  if (!in.number(2, 1, days_of_month(year, month), day) || !in.one_of("Tt", letter)) return {};
  // [S2.14]: the grammar of RFC 3339 allows a second 60, read as the next second.
  if (!in.number(2, 0, 23, hour) || !in.skip(':') || !in.number(2, 0, 59, minute) || !in.skip(':')) return {};
  if (!in.number(2, 0, 60, second)) return {};
  if (in.skip('.') && !in.fraction(ms)) return {};
  if (!in.one_of("Zz+-", letter)) return {};
  std::int64_t offset_minutes = 0;
  if (letter == '+' || letter == '-') {
    std::int64_t offset_hour = 0, offset_minute = 0;
    if (!in.number(2, 0, 23, offset_hour) || !in.skip(':') || !in.number(2, 0, 59, offset_minute)) return {};
    offset_minutes = (offset_hour * 60 + offset_minute) * (letter == '+' ? 1 : -1);
  }
  if (!in.ended()) return {};
  const std::int64_t seconds =
      ((days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - offset_minutes) * 60 + second;
  return {true, in_range(Wide{seconds} * 1000 + ms)};
}

}  // namespace recmeter::support
