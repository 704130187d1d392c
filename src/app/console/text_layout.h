// Text in columns for a person. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

// With blanks behind it up to `width`.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

// `parts` one after the other, with `between` in between.
[[nodiscard]] std::string joined(std::string_view between, const std::vector<std::string>& parts);

// `text` broken at blanks so that no line is wider than `width` (0: any); it begins at column `indent`, and so do the lines
// after the first.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace recmeter
