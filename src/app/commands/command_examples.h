// Examples: command lines that stand in the help of each command and on its page of the manual. [I2.1].
#pragma once

#include <string_view>

namespace recmeter {

// Lines, each a command; "" where there is no such command.
[[nodiscard]] std::string_view example_of(std::string_view command);

}  // namespace recmeter
