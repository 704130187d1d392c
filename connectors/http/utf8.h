// Whether bytes are well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <string_view>

namespace recmeter::http {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace recmeter::http
