// From which number a log counts positions, of rows and of the entries of lists alike. Thread safety: a pure function of
// files.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct PositionBase {
  // 0 where position 0 stands in at least 90 % of the lists that have positions and none is below it; else 1.
  int base = 1;
  std::size_t lists = 0;     // that have positions
  std::size_t from_one = 0;  // of these: whose least position is 1
};

// By the configuration, whatever base it has. Errors: as try_configuration().
[[nodiscard]] Result<PositionBase> find_position_base(const Config& config, const std::vector<std::string>& files,
                                                      const std::atomic<bool>& stop);

}  // namespace recmeter
