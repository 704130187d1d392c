// Values of options: checks for the parser, whose sentences say what to give instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Validator;
}

namespace recmeter {

// One of `words`; the nearest is suggested. Its name is the words with bars between, for completions.
[[nodiscard]] CLI::Validator one_of_words(std::vector<std::string> words);
// A whole number from 0 to `max`.
[[nodiscard]] CLI::Validator whole_number_up_to(unsigned max);

// True of the address of a running evaluator.
[[nodiscard]] bool is_url(const std::string& input);

}  // namespace recmeter
