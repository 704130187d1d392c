// Which experiments a state goes on with: those that are configured as they were, new ones, and none that means something
// else now. [S10.35].
#pragma once

#include <string>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// Errors: state_unusable, an experiment that has begun means something else now, or the state is damaged; storage_failed.
[[nodiscard]] Result<void> check_experiments(const StateStore& store, const EvaluatorPlan& plan);

// Brings what the state keeps of experiments up to those of `plan`, which have been checked, and returns what a user should
// know of it, "" where nothing changed. One that an earlier version began may ship at once where nothing else is written, as
// it might then: it keeps what it decided. `from`: where the run goes on; null: at the beginning. Errors: as above.
[[nodiscard]] Result<std::string> keep_experiments(StateStore& store, EvaluatorPlan& plan, const Checkpoint* from);

}  // namespace recmeter
