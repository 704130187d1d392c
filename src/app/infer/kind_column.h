// The column that says what happened: its few words tell lists and actions, and one action from another.
#pragma once

#include <cstddef>
#include <vector>

#include "app/infer/log_sample.h"

namespace recmeter {

inline constexpr std::size_t kinds_max = 15;  // of a log; an input may have one rule more

// `shows`: by record, whether it shows items; empty: none does. Of each word's records nearly all do, or hardly any. `item`:
// another column. Null: there is none; versions, countries and devices are few words, too.
[[nodiscard]] const Column* find_kind_column(const LogSample& sample, const std::vector<bool>& shows, const Column* item);

}  // namespace recmeter
