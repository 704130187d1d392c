// LiveExperiments: the experiments of a live run: their looks become rows, and looks are kept for the runs that follow.
//
// A run that goes on is told the looks of the runs before it again, so that its judges know what those had seen; whoever
// takes the rows knows which of them are new. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/experiment_past.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/live/record_sum.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class LiveExperiments {
 public:
  // `plan` outlives it. `write` takes the rows; its errors are those of write().
  LiveExperiments(const EvaluatorPlan& plan, std::function<Result<void>(const SharedExperimentRow&)> write);

  // Of an experiment of the plan, in order.
  [[nodiscard]] Result<void> write(const ExperimentLook& look);
  // Goes on with the looks that the store has at checkpoint number `checkpoint`. Errors: storage_failed.
  [[nodiscard]] Result<void> resume(const StateStore& store, std::uint64_t checkpoint);
  // Keeps new looks, per experiment of the plan.
  void save(StateBatch& batch, const std::vector<std::vector<KeptLook>>& looks);

 private:
  const EvaluatorPlan& plan_;
  std::function<Result<void>(const SharedExperimentRow&)> write_;
  std::deque<ExperimentJudge> judges_;  // per experiment, and so are these
  std::vector<RecordSum> kept_;
  bool is_new_ = false;  // what is kept may not stand in the store
};

}  // namespace recmeter
