// The segments of a guess as commented YAML: which of them are arms, and an experiment to fill in.
#pragma once

#include <string>

#include "app/infer/input_guess.h"

namespace recmeter {

// "": there are none. `joins_by_list`: users are not known.
[[nodiscard]] std::string segments_text(const InputGuess& input, bool joins_by_list);

}  // namespace recmeter
