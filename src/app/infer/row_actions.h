// RowActions: what was done to the items of a log whose records are places of lists, wherever it stands: as a flag or a time
// in the row itself, or in records of their own beside the rows.
#pragma once

#include <cstddef>
#include <vector>

#include "app/infer/input_guess.h"

namespace recmeter {

struct RowLists {
  const LogSample& sample;
  const TimeGuess& time;
  const Column& item;
  const Column& position;
  std::vector<std::vector<std::size_t>> lists;  // the records of each
  std::vector<bool> is_row;                     // by record: it is a place of a list
  bool are_moments = false;                     // a list's id is made of the time of its rows, which no other record has
};

// Adds to `input` its events, that of the rows first, and to `guess` their actions; none were found: that alone.
void add_row_events(const RowLists& rows, LogGuess& guess, InputGuess& input);

}  // namespace recmeter
