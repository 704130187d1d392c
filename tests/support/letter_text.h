// letter_from: the letter that a line of a file of dead letters tells of, read by somebody who knows docs/outputs.md only.
#pragma once

#include <string>

#include "recmeter/result/dead_letter.h"

namespace recmeter::support {

[[nodiscard]] DeadLetter letter_from(const std::string& line);

}  // namespace recmeter::support
