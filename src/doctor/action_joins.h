// Action joins: what becomes of the feedback of one action, whatever the time between it and its list.
#pragma once

#include <cstdint>
#include <vector>

#include "doctor/check.h"

namespace recmeter::doctor {

struct ActionJoins {
  std::uint64_t all = 0;
  std::uint64_t named = 0;    // it names a list
  std::uint64_t known = 0;    // that is there
  std::uint64_t on_list = 0;  // the item is in its list
  // The rest, by cause:
  std::uint64_t no_list = 0;    // the list that it names is not there
  std::uint64_t came_late = 0;  // the item's row came when the list was assembled
  std::uint64_t in_form = 0;    // the list has the item in another form of its id
  std::uint64_t not_of_it = 0;  // the list that it names does not have the item
};

// By index into the actions of the join.
[[nodiscard]] std::vector<ActionJoins> joins_by_action(const Evidence& evidence);

}  // namespace recmeter::doctor
