// What stands beside the items of a list in JSON: `scores` and `confidence`, a number for each item, or none.
#pragma once

#include <simdjson.h>

#include <span>

#include "recmeter/recommend/ranking.h"

namespace recmeter {

// What they must be, for messages.
inline constexpr const char* list_numbers_rule =
    "scores are from -1e8 to 1e8, confidence from 0 to 1, and both as long as items";

// Into the items. False: they are there, and not by the rule.
[[nodiscard]] bool read_list_numbers(simdjson::dom::element list, std::span<RankedItem> items);

}  // namespace recmeter
