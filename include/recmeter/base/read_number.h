// A number that is the whole of a text, in decimal. Pure; any thread.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace recmeter {

// Nothing: the text is empty, has something else beside the number, or the number is out of range.
template <class Number>
[[nodiscard]] std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

}  // namespace recmeter
