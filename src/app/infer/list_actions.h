// Actions on whole lists: records of a file of their own that name a list and no item, such as thumbs on answers. [S4.29].
#pragma once

#include "app/infer/input_guess.h"

namespace recmeter {

// Adds to `actions`, which has its sample and its time, its events and fields, and to `guess` the actions. False: its
// records name no list of `lists`, or no column says what was done.
[[nodiscard]] bool add_list_actions(const InputGuess& lists, LogGuess& guess, InputGuess& actions);

}  // namespace recmeter
