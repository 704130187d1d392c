#include "event/time_pattern.h"

#include <array>
#include <span>

#include "event/time_scanner.h"
#include "recmeter/event/time_form.h"

namespace recmeter {
namespace {

constexpr std::array<std::string_view, 12> months{"jan", "feb", "mar", "apr", "may", "jun",
                                                  "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> weekdays{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr std::string_view letters = "YymdbaHIpMSfz%";

// In either case; `word` in lower case.
bool take_word(TimeScanner& in, std::string_view word) {
  TimeScanner ahead = in;
  for (const char c : word) {
    if (!ahead.take(c) && !ahead.take(static_cast<char>(c - 'a' + 'A'))) return false;
  }
  in = ahead;
  return true;
}

struct Parts {
  CivilTime time;
  bool is_afternoon = false;
  bool has_half = false;
};

void scan_half(TimeScanner& in, Parts& parts) {
  parts.has_half = true;
  parts.is_afternoon = take_word(in, "pm");
  if (!parts.is_afternoon && !take_word(in, "am")) in.fail();
}

// The number of the name that comes next, from 1.
int take_name(TimeScanner& in, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (take_word(in, names[i])) return static_cast<int>(i) + 1;
  }
  in.fail();
  return 1;
}

void scan_offset(TimeScanner& in, CivilTime& time) {
  time.offset_minutes = in.take('Z') ? 0 : in.offset(false);
}

void scan(char letter, TimeScanner& in, Parts& parts) {
  CivilTime& time = parts.time;
  switch (letter) {
    case 'Y': time.year = in.number(4, 9999); return;
    case 'y':
      time.year = in.number(2, 99);
      time.year += time.year < 70 ? 2000 : 1900;
      return;
    case 'm': time.month = in.short_number(12); return;
    case 'd': time.day = in.short_number(31); return;
    case 'b': time.month = take_name(in, months); return;
    case 'a': (void)take_name(in, weekdays); return;
    case 'H': time.hour = in.short_number(23); return;
    case 'I': time.hour = in.short_number(12); return;
    case 'p': return scan_half(in, parts);
    case 'M': time.minute = in.short_number(59); return;
    case 'S': time.second = in.short_number(59); return;
    case 'f': time.millisecond = in.milliseconds(); return;
    case 'z': return scan_offset(in, time);
    default: return in.expect(letter);
  }
}

}  // namespace

std::optional<CivilTime> TimePattern::parse(std::string_view text) const {
  TimeScanner in(text);
  Parts parts;
  for (std::size_t i = 0; i < pattern_.size() && in.ok(); ++i) {
    if (pattern_[i] == '%') {
      scan(pattern_[++i], in, parts);
    } else {
      in.expect(pattern_[i]);
    }
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  if (parts.has_half) {
    if (parts.time.hour < 1 || parts.time.hour > 12) return std::nullopt;
    parts.time.hour = parts.time.hour % 12 + (parts.is_afternoon ? 12 : 0);
  }
  return parts.time;
}

std::optional<char> unknown_time_letter(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (++i == pattern.size()) return '%';
    if (letters.find(pattern[i]) == std::string_view::npos) return pattern[i];
  }
  return std::nullopt;
}

}  // namespace recmeter
