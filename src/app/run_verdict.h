// Whether a finished run may be trusted: how much of the input took no part, and what to do about it. INTERFACES §2, exit
// code 3.
#pragma once

#include <string>
#include <vector>

#include "recmeter/pipeline/evaluator_spec.h"
#include "recmeter/result/report.h"

namespace recmeter {

// One sentence for each limit that is exceeded: which input, by how much, the remedy. Empty when all is well.
[[nodiscard]] std::vector<std::string> exceeded_limits(const Report& report, const Limits& limits);

// One or two lines on what the run did.
[[nodiscard]] std::string run_summary(const Report& report);

}  // namespace recmeter
