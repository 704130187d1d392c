// The segments of a log that a preset reads: its own, and columns beside them that divide lists into few kinds.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/infer/fitting_shape.h"
#include "app/infer/log_sample.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Adds them, those that are arms first. Errors: those of first_records() and of its sources. Requires: the shape fits.
[[nodiscard]] Result<void> add_segments(FittingShape& shape, const std::vector<std::string>& files,
                                        const std::vector<LogSample>& samples, const std::atomic<bool>& stop);

}  // namespace recmeter
