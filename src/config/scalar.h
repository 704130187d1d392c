// Scalars of the configuration, typed by us and strictly: the whole text or nothing. [I3].
//
// Pure functions; any thread. A Complaint is the message and the remedy of a ConfigFault, without naming the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "recmeter/base/event_time.h"

namespace recmeter::config {

struct Complaint {
  std::string message;
  std::string remedy;
};
template <class T>
using Parsed = tl::expected<T, Complaint>;

inline constexpr Duration duration_max{10'000 * one_day.ms};  // 10000d

// A whole number and one of ms, s, m, h, d; at most duration_max.
[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
// Bytes: a whole number and one of B, KiB, MiB, GiB, TiB.
[[nodiscard]] Parsed<std::uint64_t> parse_size(std::string_view text);
// Decimal digits, with a minus sign where the value is negative.
[[nodiscard]] Parsed<std::int64_t> parse_integer(std::string_view text);
// A finite decimal number, with or without fraction and exponent.
[[nodiscard]] Parsed<double> parse_number(std::string_view text);
// `true` or `false`.
[[nodiscard]] Parsed<bool> parse_boolean(std::string_view text);
// RFC 3339 with an offset; fractions of a second are cut to milliseconds.
[[nodiscard]] Parsed<EventTime> parse_time(std::string_view text);

// In the largest whole unit: 30m, 90s, 0s.
[[nodiscard]] std::string text_of(Duration duration);
[[nodiscard]] std::string text_of_size(std::uint64_t bytes);
// With its quotes.
[[nodiscard]] std::string json_string(std::string_view text);
// For messages: control characters as `?`, cut after about 60 bytes at a whole character.
[[nodiscard]] std::string shortened(std::string_view text);
// The same in backquotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace recmeter::config
