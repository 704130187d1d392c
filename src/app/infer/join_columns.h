// The columns by which actions find their list: ids of lists and of users.
#pragma once

#include "app/infer/input_guess.h"
#include "app/infer/list_pair.h"
#include "app/infer/meeting.h"

namespace recmeter {

// For lists with their actions in the same record: joint use says nothing, so ids are told by how often they repeat.
void choose_beside(InputGuess& input, const ListPair& pair);
void choose_apart(LogGuess& guess, const ListPair& pair, const ListSide& lists, const ActionSide& actions);

}  // namespace recmeter
