// Logs without a column of lists: a record is one place of a list, or a rating.
#pragma once

#include <optional>

#include "app/infer/input_guess.h"

namespace recmeter {

// Nothing: neither fits.
[[nodiscard]] std::optional<LogGuess> guess_rows(const LogSample& sample, const TimeGuess& time);
// Tells whether a column counts the places of lists, whatever else is known of them.
[[nodiscard]] bool numbers_lists(const LogSample& sample, const TimeGuess& time);

}  // namespace recmeter
