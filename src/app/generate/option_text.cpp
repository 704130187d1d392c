#include "app/generate/option_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "recmeter/base/read_number.h"
#include "recmeter/event/event_time_text.h"

namespace recmeter::generate {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
constexpr std::array<Unit, 5> units{{{"d", one_day.ms}, {"h", one_hour.ms}, {"m", one_minute.ms}, {"s", 1000}, {"ms", 1}}};

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = read_number<std::int64_t>(text.substr(0, digits));
  for (const Unit& unit : units) {
    if (count && *count < (std::int64_t{1} << 32) && text.substr(digits) == unit.name) return Duration{*count * unit.ms};
  }
  return failure(Errc::config_invalid,
                 fmt::format("\"{}\" is not a duration; give a whole number and ms, s, m, h or d, such as 30s", text));
}

std::string duration_text(Duration duration) {
  for (const Unit& unit : units) {
    if (duration.ms != 0 && duration.ms % unit.ms == 0) return fmt::format("{}{}", duration.ms / unit.ms, unit.name);
  }
  return "0s";
}

Result<Duration> parse_span(std::string_view text, std::int64_t unit_ms) {
  const auto count = read_number<double>(text);
  if (!count || !(*count > 0 && *count < 1e6)) {
    return failure(Errc::config_invalid,
                   fmt::format("\"{}\" is not a length of time; give a positive number, such as 1 or 0.5", text));
  }
  return Duration{static_cast<std::int64_t>(*count * static_cast<double>(unit_ms) + 0.5)};
}

Result<EventTime> parse_start(std::string_view text) {
  if (const auto ms = read_number<std::int64_t>(text)) return EventTime{*ms};
  const auto time = text.ends_with('Z') ? parse_rfc3339(text) : std::nullopt;
  if (time && time->ms >= 0) return *time;
  return failure(
      Errc::config_invalid,
      fmt::format("\"{}\" is not a time; give RFC 3339 in UTC, such as 2023-11-14T00:00:00Z, or ms since 1970", text));
}

Result<std::pair<std::uint32_t, std::uint32_t>> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto low = read_number<std::uint32_t>(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : read_number<std::uint32_t>(text.substr(dash + 1));
  if (low && high) return std::pair{*low, *high};
  return failure(Errc::config_invalid,
                 fmt::format("\"{}\" is not a length; give a number such as 10, or a range such as 5-20", text));
}

Result<Split> parse_split(std::string_view text) {
  if (text == "none") return Split::none;
  if (text == "impressions,feedback") return Split::kind;
  if (text == "hour") return Split::hour;
  return failure(Errc::config_invalid, fmt::format("\"{}\" is not a split; give none, impressions,feedback or hour", text));
}

}  // namespace recmeter::generate
