// Logs that random_log does not make: one user with hundreds of lists in seconds, long silences, more segment values than
// fit, lists of rows across pane boundaries. For the indexes, the expiry and the bounds that small logs never reach.
//
// Deterministic in the seed, on every platform. Nothing is late or future, in this layout and in those made from it
// (support/random_log.h): by [S1] all of them give the same rows.
#pragma once

#include <cstdint>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/random_log.h"

namespace recmeter::support {

// random_spec with what makes such logs hurt: no future rule, `same_list` often shorter than the horizons, small windows.
[[nodiscard]] EvaluatorSpec heavy_spec(std::uint64_t seed);

[[nodiscard]] RandomLog heavy_log(std::uint64_t seed, const EvaluatorSpec& spec);

}  // namespace recmeter::support
