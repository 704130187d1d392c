#include "event/event_time_text.h"

#include <chrono>
#include <cstddef>

#include "recmeter/base/check.h"

namespace recmeter {
namespace {

constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// Reads a text from the left; after the first thing that is not as expected, nothing is.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }

  // One byte, which must be `c` or `other`.
  void expect(char c, char other) {
    if (!next_is(c) && !next_is(other)) {
      ok_ = false;
    } else {
      rest_.remove_prefix(1);
    }
  }
  void expect(char c) { expect(c, c); }

  // `count` digits as a number, at most `max`.
  int number(std::size_t count, int max) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = 10 * value + digit();
    if (value > max) ok_ = false;
    return value;
  }

  // One or more digits of a fraction of a second, floored to milliseconds.
  int milliseconds() {
    int value = 10 * (10 * digit() + optional_digit());
    value += optional_digit();
    while (is_digit()) rest_.remove_prefix(1);
    return value;
  }

 private:
  [[nodiscard]] bool is_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  int digit() {
    if (!is_digit()) {
      ok_ = false;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }
  int optional_digit() { return is_digit() ? digit() : 0; }

  std::string_view rest_;
  bool ok_ = true;
};

bool is_end_of_month(std::int64_t days_since_epoch) {
  const std::chrono::year_month_day next{std::chrono::sys_days{std::chrono::days{days_since_epoch + 1}}};
  return next.day() == std::chrono::day{1};
}

}  // namespace

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
    case TimeUnit::rfc3339: RECMETER_CHECK(false, "an RFC 3339 time is no number");
  }
  return is_event_time(time) ? std::optional(time) : std::nullopt;
}

std::optional<EventTime> parse_rfc3339(std::string_view text) {
  Scanner in(text);
  const int year = in.number(4, 9999);
  in.expect('-');
  const int month = in.number(2, 12);
  in.expect('-');
  const int day = in.number(2, 31);
  in.expect('T', 't');
  const int hour = in.number(2, 23);
  in.expect(':');
  const int minute = in.number(2, 59);
  in.expect(':');
  const int second = in.number(2, 60);
  int millisecond = 0;
  if (in.next_is('.')) {
    in.expect('.');
    millisecond = in.milliseconds();
  }
  int offset_minutes = 0;
  if (in.next_is('+') || in.next_is('-')) {
    const int sign = in.next_is('-') ? -1 : 1;
    in.expect('+', '-');
    const int offset_hour = in.number(2, 23);
    in.expect(':');
    offset_minutes = sign * (60 * offset_hour + in.number(2, 59));
  } else {
    in.expect('Z', 'z');
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;

  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t minutes =
      std::int64_t{std::chrono::sys_days{date}.time_since_epoch().count()} * 1440 + 60 * hour + minute - offset_minutes;
  if (second == 60 &&
      !(floor_divide(minutes, 1440) * 1440 + 1439 == minutes && is_end_of_month(floor_divide(minutes, 1440)))) {
    return std::nullopt;
  }
  return EventTime{minutes * 60'000 + second * 1000 + millisecond};
}

}  // namespace recmeter
