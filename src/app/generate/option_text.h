// Texts of options and their values: durations, spans, times, ranges, splits.
//
// Thread safety: pure functions. Errors: config_invalid, with what was given and what to give.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "app/generate/traffic_spec.h"

namespace recmeter::generate {

// "250ms", "30s", "5m", "1h", "7d"; whole numbers below 2^40.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);
// In the largest unit that leaves a whole number.
[[nodiscard]] std::string duration_text(Duration duration);

// A decimal number of units, e.g. "0.5" days.
[[nodiscard]] Result<Duration> parse_span(std::string_view text, std::int64_t unit_ms);

// "2023-11-14T00:00:00Z" or whole milliseconds since 1970.
[[nodiscard]] Result<EventTime> parse_start(std::string_view text);

// "10" or "5-20".
[[nodiscard]] Result<std::pair<std::uint32_t, std::uint32_t>> parse_range(std::string_view text);

// "none", "impressions,feedback", "hour".
[[nodiscard]] Result<Split> parse_split(std::string_view text);

}  // namespace recmeter::generate
