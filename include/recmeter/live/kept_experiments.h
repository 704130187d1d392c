// KeptExperiments: what a state keeps of experiments: what each of them means and since when it counts, and its looks, from
// which a run makes what it needs to go on. [S10.35], state/FORMAT.md.
//
// A look is kept once a row was made of it; the lists of later ones are in the journal. Thread safety: pure functions of the
// store.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_past.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct KeptExperiment {
  std::string name;
  std::string meaning;               // of its numbers: they may go on only under the same
  EventTime since = minus_infinity;  // as ExperimentPast's
};

// In the order of their names. Errors, here and below: state_unusable, also where there are looks of another; storage_failed.
[[nodiscard]] Result<std::vector<KeptExperiment>> experiments_in(const StateStore& store);
void put_experiment(StateBatch& batch, const KeptExperiment& experiment);
// With its looks.
void erase_experiment(StateBatch& batch, std::string_view name);
void erase_all_experiments(StateBatch& batch);

void put_look(StateBatch& batch, const PlannedExperiment& experiment, const KeptLook& look);
// Fails unless the looks are those that were kept by checkpoint number `checkpoint`. Errors: as above.
[[nodiscard]] Result<void> check_looks(const StateStore& store, std::uint64_t checkpoint);
// Per experiment of the plan; an experiment that is new to the store has no past.
[[nodiscard]] Result<std::vector<ExperimentPast>> pasts_in(const StateStore& store, const EvaluatorPlan& plan);

}  // namespace recmeter
