// A random evaluator, within what the configuration allows. Deterministic in the seed, on every platform.
#pragma once

#include <cstdint>

#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::support {

// Whether some action tells ratings.
[[nodiscard]] bool has_ratings(const JoinRule& join);

// Whether it is refused where a window slides: means over users are.
[[nodiscard]] bool needs_tumbling_windows(const MetricRequest& request);

// Horizons of seconds to minutes, small limits, few segment values: everything that makes edges frequent.
[[nodiscard]] EvaluatorSpec random_spec(std::uint64_t seed);

// Adds, for every third seed, a window over the whole log, which only a bounded run has.
[[nodiscard]] EvaluatorSpec with_whole_window(EvaluatorSpec spec, std::uint64_t seed);

// The same with what depends on all that users did before, often: the metric known_share, and ratings that are relevant above
// the user's mean in place of a bound. For bounded runs.
[[nodiscard]] EvaluatorSpec with_whole_past(EvaluatorSpec spec, std::uint64_t seed);

// The same with an action of gain that needs none before it, and one that undoes it, of which recall is asked: for what is
// missed unless it was taken back. As it is where users are not known.
[[nodiscard]] EvaluatorSpec with_returns(EvaluatorSpec spec, std::uint64_t seed);

}  // namespace recmeter::support
