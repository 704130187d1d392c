// The names that logs give to what recmeter asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/words.h"

namespace recmeter {

enum class Role : std::uint8_t { time, list_id, user_id, items, item_id, position, type, click_flag, propensity, rating };
[[nodiscard]] std::string_view to_string(Role role);

// How well the last name of a path says that it is this, from 0 to 1: 1 for a usual name, 0.5 for one that has a usual word.
[[nodiscard]] double name_score(Role role, std::string_view path);

}  // namespace recmeter
