// What other recommenders would have shown, beside a random log: in the place of its lists, and of their own; and how likely
// they would have shown its lists.
#pragma once

#include <cstdint>
#include <span>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_event.h"
#include "support/random_log.h"

namespace recmeter::support {

// The spec with two or three lanes of every kind of rule, and the metrics that only lanes have.
[[nodiscard]] EvaluatorSpec with_lanes(EvaluatorSpec spec, std::uint64_t seed);

// Adds to the lines of the log's inputs candidates of the spec's lanes that go with `events`, those of the log; some invalid,
// some of a recommender nobody asks about. Requires: lanes.
void add_candidates(RandomLog& log, const EvaluatorSpec& spec, std::span<const BatchEvent> events, std::uint64_t seed);

// The spec with an `off_policy` of every kind and the metrics that it does not refuse. Requires: lanes.
[[nodiscard]] EvaluatorSpec with_off_policy(EvaluatorSpec spec, std::uint64_t seed);

// Adds policies as add_candidates() candidates. Requires: lanes and `off_policy`.
void add_policies(RandomLog& log, const EvaluatorSpec& spec, std::span<const BatchEvent> events, std::uint64_t seed);

}  // namespace recmeter::support
