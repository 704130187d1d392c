#include "event/time_reader.h"

#include <algorithm>
#include <string>

#include "event/decimal_text.h"

namespace recmeter {
namespace {

// 1772445600000.0 and 1.77E+9: a decimal of which nothing is left behind the point. Nothing: it is none; nothing inside:
// none that 64 bits hold.
std::optional<std::optional<std::int64_t>> whole_number(std::string_view text) {
  constexpr std::int64_t exponent_max = 1'000;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t mantissa_end = std::min(text.find_first_of("eE"), text.size());
  std::int64_t exponent = 0;
  if (mantissa_end < text.size()) {
    std::string_view written = text.substr(mantissa_end + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), exponent);
    if (written.empty() || written.starts_with("+") || end != written.data() + written.size()) return std::nullopt;
    if (error != std::errc()) exponent = written.front() == '-' ? -exponent_max : exponent_max;
  }
  const std::string_view mantissa = text.substr(sign, mantissa_end - sign);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  const bool is_decimal = !digits.empty() && (point == mantissa.size() || !fraction.empty());
  digits += fraction;
  if (!is_decimal || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  std::int64_t places = std::clamp(exponent, -exponent_max, exponent_max) - static_cast<std::int64_t>(fraction.size());
  for (; places < 0 && digits.size() > 1 && digits.back() == '0'; ++places) digits.pop_back();
  if (digits.find_first_not_of('0') == std::string::npos) return 0;
  if (places < 0) return std::nullopt;
  constexpr std::size_t digits_max = 64;
  digits.append(std::min(static_cast<std::size_t>(places), digits_max), '0');
  std::int64_t number = 0;
  const auto error = std::from_chars(digits.data(), digits.data() + digits.size(), number).ec;
  return error == std::errc() ? std::optional(sign == 0 ? number : -number) : std::nullopt;
}

}  // namespace

TimeReader::Outcome TimeReader::of_text(std::string_view text) const {
  return has_commas_ ? of_text_with_commas(text) : of_plain_text(text);
}

// A pattern says itself what its decimal mark is. In a number a point would separate thousands.
TimeReader::Outcome TimeReader::of_text_with_commas(std::string_view text) const {
  if (unit_ == TimeUnit::pattern) return of_plain_text(text);
  if (!is_text() && text.find('.') != std::string_view::npos) return failed(InvalidReason::wrong_type);
  DecimalRoom room;
  return of_plain_text(with_points(text, room));
}

TimeReader::Outcome TimeReader::of_plain_text(std::string_view text) const {
  switch (unit_) {
    case TimeUnit::rfc3339: {
      const auto time = parse_rfc3339(text);
      return time ? in_range(*time) : failed(InvalidReason::wrong_type);
    }
    case TimeUnit::iso: return of_civil(parse_iso(text));
    case TimeUnit::pattern: return of_civil(pattern_.parse(text));
    default: break;
  }
  if (!text_numbers_) return failed(InvalidReason::wrong_type);
  if (unit_ == TimeUnit::excel) return of_days(text);
  if (unit_ == TimeUnit::fractional_seconds) {
    const auto ms = parse_seconds(text);
    return ms ? in_range(EventTime{*ms}) : of_decimal(text);
  }
  return of_digits(text);
}

// As programs write a whole number that passed through a float.
TimeReader::Outcome TimeReader::of_decimal(std::string_view text) const {
  const auto number = whole_number(text);
  if (!number) return failed(InvalidReason::wrong_type);
  return *number ? of_integer(**number) : failed(InvalidReason::time_out_of_range);
}

// Its shortest decimal is what was written.
TimeReader::Outcome TimeReader::of_number(double value) const {
  if (!(value > -1e15 && value < 1e15)) return failed(InvalidReason::time_out_of_range);
  std::array<char, 64> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const std::string_view decimal(text.data(), static_cast<std::size_t>(written.ptr - text.data()));
  if (unit_ == TimeUnit::excel) return of_days(decimal);
  const auto ms = parse_seconds(decimal);
  return ms ? in_range(EventTime{*ms}) : failed(InvalidReason::time_out_of_range);
}

TimeReader::Outcome TimeReader::of_whole_days(std::int64_t days) const {
  return of_days(std::to_string(days));
}

TimeReader::Outcome TimeReader::of_days(std::string_view text) const {
  const auto ms = parse_excel_days(text);
  return ms && zone_ != nullptr ? of_local(*ms) : failed(InvalidReason::wrong_type);
}

// Of the zone's clock.
TimeReader::Outcome TimeReader::of_local(std::int64_t ms) const {
  const auto utc = zone_->utc_ms(ms);
  return utc ? in_range(EventTime{*utc}) : failed(InvalidReason::time_in_gap);
}

TimeReader::Outcome TimeReader::of_civil(const std::optional<CivilTime>& time) const {
  if (!time || (!time->offset_minutes && zone_ == nullptr)) return failed(InvalidReason::wrong_type);
  const auto local = time->local_ms();
  if (!local) return failed(InvalidReason::wrong_type);
  if (time->offset_minutes) return in_range(EventTime{*local - std::int64_t{*time->offset_minutes} * one_minute.ms});
  return of_local(*local);
}

}  // namespace recmeter
