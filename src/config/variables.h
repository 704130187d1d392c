// ${VAR} in scalars. [I3]; the rules are (3) of load_config.h.
#pragma once

#include <string>
#include <string_view>

#include "config/load_config.h"
#include "config/scalar.h"

namespace recmeter::config {

// `text` with its variables replaced, at most `bytes_max` long. Complaints never hold what a variable holds.
[[nodiscard]] Parsed<std::string> replace_variables(std::string_view text, const Environment& environment,
                                                    std::size_t bytes_max);

}  // namespace recmeter::config
