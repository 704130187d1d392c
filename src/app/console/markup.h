// Text as markup: what HTML would take for its own is written as references. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter {

// For the content of an element, and of an attribute in quotes.
[[nodiscard]] std::string as_markup(std::string_view text);

}  // namespace recmeter
