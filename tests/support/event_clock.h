// Event times of records in the configured unit, read into milliseconds. [S2], `ts`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "recmeter/event/field_table.h"

namespace recmeter::support {

// `digits`: an integer as JSON writes it. Floored to milliseconds; nothing when outside [1980, 2200) UTC.
[[nodiscard]] std::optional<std::int64_t> integer_time(std::string_view digits, TimeUnit unit);

struct Rfc3339Time {
  bool well_formed = false;
  std::optional<std::int64_t> ms;  // nothing when outside [1980, 2200) UTC
};

// An RFC 3339 date-time with offset; the letters T and Z in either case.
[[nodiscard]] Rfc3339Time rfc3339_time(std::string_view text);

}  // namespace recmeter::support
