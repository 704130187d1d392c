// EntryFlags: what was done to each entry of a list, told by flags in the list: within its entries, behind them, or in
// a list beside it that is as long ([I3.31]).
#pragma once

#include <string>
#include <vector>

#include "app/infer/log_sample.h"

namespace recmeter {

// Those that some entries of `items` have and others have not, and that do not go with an item as its price does. Of
// several those whose names say what was done; else the first.
[[nodiscard]] std::vector<const ListColumn*> flags_of(const LogSample& sample, const ListColumn& items);

// Tells whether it stands within the entries of `items`.
[[nodiscard]] bool is_within(const ListColumn& flag, const ListColumn& items);
// The word for what it says that was done: the last name of its path.
[[nodiscard]] std::string flag_name(const ListColumn& flag);
// Values that say yes, as they are written there, each once.
[[nodiscard]] std::vector<std::string> set_values(const ListColumn& flag);

}  // namespace recmeter
