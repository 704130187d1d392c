// Random experiments for random logs.
#pragma once

#include <cstdint>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/random_log.h"

namespace recmeter::support {

// `spec` with one or two. Requires: `log` is of `spec`, or any that has the same times.
[[nodiscard]] EvaluatorSpec with_experiments(EvaluatorSpec spec, std::uint64_t seed, const RandomLog& log);

}  // namespace recmeter::support
