// Words within names, as people and programs write them. Pure functions of ASCII; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

[[nodiscard]] inline bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
[[nodiscard]] inline bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
[[nodiscard]] std::string in_lower_case(std::string_view text);
// In lower case: "addToCart 2" is add, to and cart.
[[nodiscard]] std::vector<std::string> words_in(std::string_view text);

}  // namespace recmeter
