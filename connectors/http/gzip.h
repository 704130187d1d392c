// gzip of a whole text, quickly rather than tightly: it happens while others wait. Pure function; any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter::http {

[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace recmeter::http
