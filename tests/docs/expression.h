// What an arithmetic expression in a text comes to: numbers, + - * / ^, brackets, min, max and sqrt.
#pragma once

#include <optional>
#include <string_view>

namespace recmeter::test {

// nullopt when the text is no such expression; 0 / 0 is 0, as everywhere here.
[[nodiscard]] std::optional<double> value_of_expression(std::string_view text);

}  // namespace recmeter::test
