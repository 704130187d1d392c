// The small renderings that the larger ones share.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "recmeter/base/check.h"
#include "recmeter/base/utf8.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

constexpr double plain_from = 1e-6;
constexpr double plain_below = 1e16;
constexpr std::string_view replacement_character = "\xef\xbf\xbd";

struct TimeUnit {
  std::int64_t ms;
  std::string_view name;
};
constexpr std::array units{TimeUnit{one_day.ms, "d"}, TimeUnit{one_hour.ms, "h"}, TimeUnit{one_minute.ms, "m"},
                           TimeUnit{1'000, "s"}, TimeUnit{1, "ms"}};

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c)); return;
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain = 0;  // [plain, at) is to be copied as it is
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\') {
      ++at;
      continue;
    }
    const CodePoint point = code_point_at(text, at);
    if (!point.valid || byte < 0x80) {
      out.append(text.substr(plain, at - plain));
      if (point.valid) {
        append_escape(out, text[at]);
      } else {
        out.append(replacement_character);
      }
      plain = at + point.bytes;
    }
    at += point.bytes;
  }
  out.append(text.substr(plain));
  out.push_back('"');
}

void append_json_number(std::string& out, double number) {
  RECMETER_CHECK(std::isfinite(number), "JSON has no number for infinity or NaN");
  std::array<char, 32> digits{};
  // Both forms have the fewest digits that read back; an exponent is left to numbers that nobody reads without one.
  const double magnitude = std::abs(number);
  const bool is_plain = number == 0 || (magnitude >= plain_from && magnitude < plain_below);
  char* const limit = digits.data() + digits.size();
  const auto [end, error] = is_plain ? std::to_chars(digits.data(), limit, number, std::chars_format::fixed)
                                     : std::to_chars(digits.data(), limit, number);
  RECMETER_CHECK(error == std::errc{}, "every double fits");
  out.append(digits.data(), end);
}

std::string render_duration(Duration duration) {
  if (duration.ms == 0) return "0s";
  const auto unit = std::find_if(units.begin(), units.end(), [&](const TimeUnit& one) { return duration.ms % one.ms == 0; });
  return fmt::format("{}{}", duration.ms / unit->ms, unit->name);
}

std::optional<Duration> duration_from(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{}) return std::nullopt;
  for (const TimeUnit& unit : units) {
    if (text.substr(static_cast<std::size_t>(end - text.data())) != unit.name) continue;
    if (std::abs(count) > plus_infinity.ms / unit.ms) return std::nullopt;
    return Duration{count * unit.ms};
  }
  return std::nullopt;
}

std::string render_utc(EventTime time) {
  using namespace std::chrono;
  const sys_time<milliseconds> instant{milliseconds{time.ms}};
  const sys_days day = floor<days>(instant);
  const year_month_day date{day};
  const hh_mm_ss clock{instant - day};
  const int year = static_cast<int>(date.year());
  RECMETER_CHECK(year >= 0 && year <= 9999 && time > minus_infinity && time < plus_infinity, "a time outside the calendar");
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", year, static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (clock.subseconds().count() != 0) fmt::format_to(std::back_inserter(text), ".{:03}", clock.subseconds().count());
  text.push_back('Z');
  return text;
}

}  // namespace recmeter
