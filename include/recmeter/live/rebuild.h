// rebuild: makes a state read its events again, for a configuration that gives them another meaning. What is published stays
// so: rows that the state has made are neither made nor published again.
//
// One batch: after a crash the state is the one before or the one after.
#pragma once

#include <functional>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// Partitions go back to where the events begin that the rows of `plan` not yet made depend on, or as far as the state knows;
// those that are no input of it any more are forgotten. `generation` becomes the only one. Returns the time of these events;
// minus_infinity: all. Errors: state_unusable, storage_failed.
[[nodiscard]] Result<EventTime> rebuild(StateStore& store, const Checkpoint& from, const EvaluatorPlan& plan,
                                        const Generation& generation,
                                        const std::function<bool(std::string_view partition)>& is_input);

}  // namespace recmeter
