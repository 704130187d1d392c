#include "app/run/time_or_ago.h"

#include <string>

#include "config/scalar.h"

namespace recmeter {

Result<EventTime> parse_time_or_ago(std::string_view text, EventTime now) {
  if (text == "now") return now;
  if (text.starts_with('-')) {
    if (const auto ago = config::parse_duration(text.substr(1))) return now - *ago;
  } else if (const auto time = config::parse_time(text)) {
    return *time;
  }
  return failure(Errc::config_invalid, std::string(text) + " is not a time; write 2026-11-20T00:00:00Z, -3d or now");
}

}  // namespace recmeter
