// ArmGuess: whether a column says which arm of an experiment a list is of, and which of them is the control.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/infer/log_sample.h"

namespace recmeter {

struct ArmGuess {
  bool is_arm = false;
  std::vector<std::string> values;  // of an arm, in order
  std::string control;
  std::string evidence;  // why it is one, or none though its name or its values are those of one; "": neither is
};

// By list, the column's value and the user; where there is none, it has no data. No users: none are known.
[[nodiscard]] ArmGuess guess_arm(std::string_view path, const std::vector<Cell>& values, const std::vector<Cell>& users);

}  // namespace recmeter
