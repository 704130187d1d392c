#include "event/time_reader.h"

namespace recmeter {

TimeReader::Outcome TimeReader::of_text(std::string_view text) const {
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
  if (unit_ == TimeUnit::fractional_seconds) {
    const auto ms = parse_seconds(text);
    return ms ? in_range(EventTime{*ms}) : failed(InvalidReason::wrong_type);
  }
  return of_digits(text);
}

// Its shortest decimal is what was written.
TimeReader::Outcome TimeReader::of_number(double value) const {
  if (!(value > -1e15 && value < 1e15)) return failed(InvalidReason::time_out_of_range);
  std::array<char, 64> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const auto ms = parse_seconds({text.data(), static_cast<std::size_t>(written.ptr - text.data())});
  return ms ? in_range(EventTime{*ms}) : failed(InvalidReason::time_out_of_range);
}

TimeReader::Outcome TimeReader::of_civil(const std::optional<CivilTime>& time) const {
  if (!time || (!time->offset_minutes && zone_ == nullptr)) return failed(InvalidReason::wrong_type);
  const auto local = time->local_ms();
  if (!local) return failed(InvalidReason::wrong_type);
  if (time->offset_minutes) return in_range(EventTime{*local - std::int64_t{*time->offset_minutes} * one_minute.ms});
  const auto utc = zone_->utc_ms(*local);
  return utc ? in_range(EventTime{*utc}) : failed(InvalidReason::time_in_gap);
}

}  // namespace recmeter
