// The tz database of this machine, which says what local times are: results by named zones depend on it. [I5.5].
#pragma once

#include <string>

#include "config/config.h"

namespace recmeter {

// Its version, such as 2025b, or "unknown"; "" where no input has a named zone.
[[nodiscard]] std::string tzdata_for(const Config& config);

}  // namespace recmeter
