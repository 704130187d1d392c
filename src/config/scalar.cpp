#include "config/scalar.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "recmeter/base/read_number.h"
#include "recmeter/event/event_time_text.h"

namespace recmeter::config {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr std::array<Unit, 5> duration_units{{{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
constexpr std::array<Unit, 5> size_units{
    {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", std::int64_t{1} << 40}}};
constexpr std::string_view duration_forms = "write a whole number and a unit: 250ms, 30s, 5m, 1h or 7d";
constexpr std::string_view size_forms = "write a whole number and a unit: 512B, 64KiB, 64MiB or 1GiB";

tl::unexpected<Complaint> complain(std::string message, std::string_view remedy) {
  return tl::unexpected<Complaint>(Complaint{std::move(message), std::string(remedy)});
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t leading_digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

// What people write for our units elsewhere.
std::string_view meant_duration_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 22> habits{
      {{"msec", "ms"},   {"millis", "ms"}, {"MS", "ms"}, {"sec", "s"},          {"secs", "s"},   {"second", "s"},
       {"seconds", "s"}, {"S", "s"},       {"min", "m"}, {"mins", "m"},         {"minute", "m"}, {"minutes", "m"},
       {"M", "m"},       {"hr", "h"},      {"hrs", "h"}, {"hour", "h"},         {"hours", "h"},  {"H", "h"},
       {"day", "d"},     {"days", "d"},    {"D", "d"},   {"milliseconds", "ms"}}};
  for (const auto& [habit, meant] : habits) {
    if (habit == unit) return meant;
  }
  return {};
}

std::string_view meant_size_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> habits{{{"b", "B"},
                                                                                  {"K", "KiB"},
                                                                                  {"KB", "KiB"},
                                                                                  {"kB", "KiB"},
                                                                                  {"kb", "KiB"},
                                                                                  {"k", "KiB"},
                                                                                  {"M", "MiB"},
                                                                                  {"MB", "MiB"},
                                                                                  {"mb", "MiB"},
                                                                                  {"G", "GiB"},
                                                                                  {"GB", "GiB"},
                                                                                  {"gb", "GiB"},
                                                                                  {"T", "TiB"},
                                                                                  {"TB", "TiB"}}};
  for (const auto& [habit, meant] : habits) {
    if (habit == unit) return meant;
  }
  return {};
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const std::size_t digits = leading_digits(text);
  const std::string_view unit = text.substr(digits);
  if (digits == 0) {
    if (text.starts_with('-')) return complain("is negative", duration_forms);
    return complain("is not a duration", duration_forms);
  }
  if (unit.empty()) return complain("has no unit", duration_forms);
  for (const Unit& known : duration_units) {
    if (known.name != unit) continue;
    const auto count = read_number<std::int64_t>(text.substr(0, digits));
    if (!count || *count > duration_max.ms / known.factor) return complain("is too long", "write at most 10000d");
    return Duration{*count * known.factor};
  }
  if (const std::string_view meant = meant_duration_unit(unit); !meant.empty()) {
    return complain("has a unit that is not known here", fmt::format("write `{}{}`", text.substr(0, digits), meant));
  }
  if (unit.starts_with('.') || unit.starts_with(','))
    return complain("has a fraction", "write whole numbers, in a smaller unit");
  for (const char c : unit) {
    if (is_digit(c)) return complain("has more than one unit", "write it in its smallest unit: 90m instead of 1h30m");
  }
  return complain("is not a duration", duration_forms);
}

Parsed<std::uint64_t> parse_size(std::string_view text) {
  const std::size_t digits = leading_digits(text);
  const std::string_view unit = text.substr(digits);
  if (digits == 0) return complain("is not a size", size_forms);
  if (unit.empty()) return complain("has no unit", size_forms);
  for (const Unit& known : size_units) {
    if (known.name != unit) continue;
    const auto count = read_number<std::int64_t>(text.substr(0, digits));
    if (!count || *count > (std::int64_t{1} << 50) / known.factor) return complain("is too large", "write at most 1024TiB");
    return static_cast<std::uint64_t>(*count * known.factor);
  }
  if (const std::string_view meant = meant_size_unit(unit); !meant.empty()) {
    return complain("has a unit that is not known here",
                    fmt::format("write `{}{}`: units are B, KiB, MiB, GiB and TiB", text.substr(0, digits), meant));
  }
  return complain("is not a size", size_forms);
}

Parsed<std::int64_t> parse_integer(std::string_view text) {
  const std::string_view magnitude = text.starts_with('-') ? text.substr(1) : text;
  if (magnitude.empty() || leading_digits(magnitude) != magnitude.size()) {
    return complain("is not a whole number", "write it in decimal digits alone");
  }
  const auto value = read_number<std::int64_t>(text);
  if (!value) return complain("is too large", "write a smaller number");
  return *value;
}

Parsed<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return complain("is not a number", "write it like 3, 0.5 or 1e-3");
  }
  if (error != std::errc{} || !std::isfinite(value))
    return complain("is not a finite number", "write it like 3, 0.5 or 1e-3");
  return value == 0 ? 0.0 : value;  // one zero, so that equal configurations have equal hashes
}

Parsed<bool> parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return complain("is neither `true` nor `false`", "write `true` or `false`");
}

Parsed<EventTime> parse_time(std::string_view text) {
  const auto time = parse_rfc3339(text);
  if (!time) return complain("is not a time", "write it like 2026-11-20T00:00:00Z");
  if (!is_event_time(*time)) {
    return complain("is not a time between 1980 and 2200", "write it like 2026-11-20T00:00:00Z");
  }
  return *time;
}

std::string text_of(Duration duration) {
  if (duration.ms == 0) return "0s";
  for (std::size_t i = duration_units.size(); i-- > 0;) {
    if (duration.ms % duration_units[i].factor == 0) {
      return fmt::format("{}{}", duration.ms / duration_units[i].factor, duration_units[i].name);
    }
  }
  return {};
}

std::string text_of_size(std::uint64_t bytes) {
  if (bytes == 0) return "0B";
  for (std::size_t i = size_units.size(); i-- > 0;) {
    const auto factor = static_cast<std::uint64_t>(size_units[i].factor);
    if (bytes % factor == 0) return fmt::format("{}{}", bytes / factor, size_units[i].name);
  }
  return {};
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string shortened(std::string_view text) {
  constexpr std::size_t bytes_max = 60;
  std::size_t end = text.size();
  if (end > bytes_max) {
    end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  }
  std::string shown;
  for (const char c : text.substr(0, end)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return end < text.size() ? shown + "…" : shown;
}

std::string in_quotes(std::string_view text) {
  return "`" + shortened(text) + "`";
}

}  // namespace recmeter::config
