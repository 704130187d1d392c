// A time as a person names it. A pure function; any thread.
#pragma once

#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

// RFC 3339 with an offset, `now`, or so long before `now` (-3d). Errors: config_invalid.
[[nodiscard]] Result<EventTime> parse_time_or_ago(std::string_view text, EventTime now);

}  // namespace recmeter
