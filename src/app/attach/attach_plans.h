// AttachPlans: what a run of attach makes rows by: its configuration, and those of runs before whose windows are not
// finished.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/load_config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/live/generation_set.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct AttachPlans {
  std::vector<PlannedGeneration> generations;  // the oldest first
  std::string notice;                          // what a change of the configuration comes to; empty without one

  // Of the above; they stay where they are.
  std::deque<Config> older;
  std::deque<EvaluatorPlan> plans;
};

// Compares `config`, which outlives the plans, with the one that made the state, and brings the state up to it: a generation
// more for additive changes; for changes of meaning, if `rebuild`, what is needed to read its events again. On errors nothing
// is written. Errors: state_unusable (the meaning has changed and `rebuild` is false, or the state is damaged);
// config_invalid; storage_failed.
[[nodiscard]] Result<AttachPlans> attach_plans(StateStore& store, const Config& config, const ConfigContext& context,
                                               bool rebuild);

}  // namespace recmeter
