// From which number a log counts positions, of rows and of the entries of lists alike. Thread safety: a pure function of
// files.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

// 0 where, by the configuration, position 0 stands in at least 90 % of the lists that have positions and none is below it;
// else 1. Whatever the base of the configuration. Errors: as try_configuration().
[[nodiscard]] Result<int> find_position_base(const Config& config, const std::vector<std::string>& files,
                                             const std::atomic<bool>& stop);

}  // namespace recmeter
