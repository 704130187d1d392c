// TimeForm: how an input writes its times. [S2.13], [I3.21].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/event/time_zone.h"

namespace recmeter {

enum class TimeUnit : std::uint8_t {
  seconds,
  milliseconds,
  microseconds,
  nanoseconds,
  rfc3339,
  iso,                 // ISO 8601: `T` or a blank, and an offset or none
  fractional_seconds,  // decimal seconds, exactly
  excel,               // decimal days from 1899-12-30, on a local clock
  pattern,             // texts as TimeForm::pattern says
};

struct TimeForm {
  TimeUnit unit = TimeUnit::milliseconds;
  std::string pattern = {};                        // unit: pattern; of %Y %y %m %d %b %a %H %I %M %S %f %p %z %%
  std::string zone_name = {};                      // as it is configured; "": none
  std::shared_ptr<const TimeZone> zone = nullptr;  // of times without offset; null: such a time is a wrong type
};

// The first letter behind a `%` that no pattern has; `%` where nothing is behind it.
[[nodiscard]] std::optional<char> unknown_time_letter(std::string_view pattern);

}  // namespace recmeter
