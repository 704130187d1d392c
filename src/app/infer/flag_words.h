// Flags: cells that say yes or no, as programs and people of several languages write them, in any case.
// Thread safety: pure functions.
#pragma once

#include <set>
#include <string>

#include "app/infer/log_sample.h"

namespace recmeter {

// Tells whether it says yes.
[[nodiscard]] bool is_set(Cell flag);
// Tells whether cells with these values, in lower case, are flags: a word for no and its word for yes.
[[nodiscard]] bool are_flags(const std::set<std::string>& values);
// Tells whether a column holds flags alone.
[[nodiscard]] bool is_flag(const Column& column);
[[nodiscard]] bool is_flag(const ListColumn& list);

}  // namespace recmeter
