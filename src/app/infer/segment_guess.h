// SegmentGuess: columns that divide lists into few kinds, such as variants, pages and devices.
#pragma once

#include <string>
#include <vector>

#include "app/infer/log_sample.h"

namespace recmeter {

struct SegmentGuess {
  std::string key;  // the last name of its path
  std::string path;
  bool is_arm = false;  // named like the arms of an experiment
  std::size_t values = 0;
};

// At most four, arms first. `used`: paths of other columns that have a role.
[[nodiscard]] std::vector<SegmentGuess> guess_segments(const LogSample& sample, const ListColumn& items,
                                                       const std::vector<std::string>& used);

}  // namespace recmeter
