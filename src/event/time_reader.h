// TimeReader: an input's times as event times, or why they are none. [S2.13], [S2.31], [S2.32].
// Thread safety: immutable after construction.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "event/time_pattern.h"
#include "recmeter/event/event_time_text.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/time_form.h"
#include "recmeter/event/value_kind.h"

namespace recmeter {

class TimeReader {
 public:
  // Travels in registers.
  class Outcome {
   public:
    explicit Outcome(EventTime time) : time_(time) {}
    explicit Outcome(InvalidReason reason) : reason_(reason) {}
    explicit operator bool() const { return !reason_; }
    [[nodiscard]] EventTime operator*() const { return time_; }  // the epoch where there is none
    [[nodiscard]] InvalidReason error() const { return *reason_; }

   private:
    EventTime time_;
    std::optional<InvalidReason> reason_;
  };

  // `text_numbers`: whether a text may be a number. `has_commas`: whether decimal marks of texts are commas.
  TimeReader(const TimeForm& form, bool text_numbers, bool has_commas = false)
      : unit_(form.unit), zone_(form.zone), pattern_(form.pattern), text_numbers_(text_numbers), has_commas_(has_commas) {
    is_number_text_ = text_numbers && !is_text() && !is_decimal() && !has_commas;
  }

  template <class Value>
  [[nodiscard]] Outcome read(const Value& value) const {
    switch (value.kind()) {
      case ValueKind::integer: return of_integer(value.integer());
      case ValueKind::text: return is_number_text_ ? of_digits(value.text()) : of_text(value.text());
      // Beyond int64 is beyond 2200 in every unit.
      case ValueKind::large_integer: return failed(is_text() ? InvalidReason::wrong_type : InvalidReason::time_out_of_range);
      case ValueKind::number: return is_decimal() ? of_number(value.number()) : failed(InvalidReason::wrong_type);
      case ValueKind::time:
        if constexpr (requires { value.time(); }) return in_range(value.time());
        [[fallthrough]];
      default: return failed(InvalidReason::wrong_type);
    }
  }

 private:
  static Outcome failed(InvalidReason reason) { return Outcome(reason); }
  static Outcome in_range(EventTime time) {
    return is_event_time(time) ? Outcome(time) : failed(InvalidReason::time_out_of_range);
  }
  [[nodiscard]] bool is_text() const {
    return unit_ == TimeUnit::rfc3339 || unit_ == TimeUnit::iso || unit_ == TimeUnit::pattern;
  }

  [[nodiscard]] bool is_decimal() const { return unit_ == TimeUnit::fractional_seconds || unit_ == TimeUnit::excel; }

  [[nodiscard]] Outcome of_integer(std::int64_t value) const {
    if (is_text()) return failed(InvalidReason::wrong_type);
    if (unit_ == TimeUnit::excel) return of_whole_days(value);
    const TimeUnit unit = unit_ == TimeUnit::fractional_seconds ? TimeUnit::seconds : unit_;
    const auto time = event_time_from(value, unit);
    return time ? Outcome(*time) : failed(InvalidReason::time_out_of_range);
  }
  [[nodiscard]] Outcome of_digits(std::string_view text) const {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty()) return failed(InvalidReason::wrong_type);
    if (end != text.data() + text.size()) return of_decimal(text);
    return error == std::errc() ? of_integer(number) : failed(InvalidReason::time_out_of_range);
  }
  [[nodiscard, gnu::noinline]] Outcome of_decimal(std::string_view text) const;
  [[nodiscard, gnu::noinline]] Outcome of_text(std::string_view text) const;
  [[nodiscard]] Outcome of_text_with_commas(std::string_view text) const;
  [[nodiscard]] Outcome of_plain_text(std::string_view text) const;
  [[nodiscard, gnu::noinline]] Outcome of_number(double value) const;
  [[nodiscard, gnu::noinline]] Outcome of_whole_days(std::int64_t days) const;
  [[nodiscard]] Outcome of_days(std::string_view text) const;
  [[nodiscard]] Outcome of_local(std::int64_t ms) const;
  [[nodiscard]] Outcome of_civil(const std::optional<CivilTime>& time) const;

  TimeUnit unit_;
  std::shared_ptr<const TimeZone> zone_;
  TimePattern pattern_;
  bool text_numbers_;
  bool has_commas_;
  bool is_number_text_ = false;  // texts are whole numbers
};

}  // namespace recmeter
