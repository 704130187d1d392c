// The API's contract, docs/openapi.yaml, as bytes of the program.
#pragma once

#include <string_view>

namespace recmeter {

[[nodiscard]] std::string_view openapi_yaml() noexcept;

}  // namespace recmeter
