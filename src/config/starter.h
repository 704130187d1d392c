// The commented configurations that `recmeter init` writes: valid, and equal to the defaults where they show a default.
#pragma once

#include <string_view>

namespace recmeter {

[[nodiscard]] std::string_view starter_config() noexcept;
// With --live.
[[nodiscard]] std::string_view live_starter_config() noexcept;

}  // namespace recmeter
