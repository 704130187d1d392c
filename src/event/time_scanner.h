// TimeScanner: reads the text of a time from the left; after the first thing that is not as expected, nothing is.
#pragma once

#include <cstddef>
#include <string_view>

namespace recmeter {

class TimeScanner {
 public:
  explicit TimeScanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
  [[nodiscard]] bool next_is_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  void fail() { ok_ = false; }

  // Whether `c` came next, which is then taken.
  bool take(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // The same of a text.
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  // One byte, which must be `c` or `other`.
  void expect(char c, char other) {
    if (!take(c) && !take(other)) ok_ = false;
  }
  void expect(char c) { expect(c, c); }

  // `count` digits as a number, at most `max`.
  int number(std::size_t count, int max) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = 10 * value + digit();
    if (value > max) ok_ = false;
    return value;
  }
  // One or two digits.
  int short_number(int max) {
    int value = digit();
    if (next_is_digit()) value = 10 * value + digit();
    if (value > max) ok_ = false;
    return value;
  }
  // One or more digits of a fraction of a second, floored to milliseconds.
  int milliseconds() {
    int value = 10 * (10 * digit() + optional_digit());
    value += optional_digit();
    while (next_is_digit()) rest_.remove_prefix(1);
    return value;
  }
  // `+hh:mm`, in minutes; without `needs_colon` also `+hhmm` and `+hh`.
  int offset(bool needs_colon) {
    const int sign = next_is('-') ? -1 : 1;
    expect('+', '-');
    const int hours = number(2, 23);
    if (needs_colon) {
      expect(':');
    } else if (!take(':') && !next_is_digit()) {
      return sign * 60 * hours;
    }
    return sign * (60 * hours + number(2, 59));
  }

 private:
  int digit() {
    if (!next_is_digit()) {
      ok_ = false;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }
  int optional_digit() { return next_is_digit() ? digit() : 0; }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace recmeter
