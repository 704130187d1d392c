// The commented configuration that `recmeter init` writes: valid, and equal to the defaults where it shows a default.
#pragma once

#include <string_view>

namespace recmeter {

[[nodiscard]] std::string_view starter_config() noexcept;

}  // namespace recmeter
