// sample_text: how the first records of a log are understood by a configuration, field by field.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Of `records` records; more are not read. Errors: those of open_log().
[[nodiscard]] Result<std::string> sample_text(const Config& config, const std::string& path, std::size_t records,
                                              const InputEdges& edges, const std::atomic<bool>& stop);

}  // namespace recmeter
