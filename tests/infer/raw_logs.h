// Lists of two arms as the logs of eight kinds that people have, each as its tool writes it.
#pragma once

#include <string>
#include <vector>

#include "infer/arm_lists.h"

namespace recmeter::test {

struct RawLog {
  std::vector<std::string> files;  // the contents
  std::string arm;                 // the key of the segment that has the arm
  bool has_purchases = true;
};

[[nodiscard]] std::vector<std::string> raw_log_names();
[[nodiscard]] RawLog raw_log(const std::string& name, const std::vector<ArmList>& lists);

}  // namespace recmeter::test
