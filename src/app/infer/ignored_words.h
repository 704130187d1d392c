// Words of an action column that no rule of an input asks for: their records are ignored.
#pragma once

#include <string>

#include "app/infer/input_guess.h"

namespace recmeter {

// A comment below the rules, for each column that they tell events by; "": every word has a rule.
[[nodiscard]] std::string ignored_words_text(const InputGuess& input);

}  // namespace recmeter
