// A replay that makes no rows: a witness is told what becomes of the events and lists. For commands that look at a log.
#pragma once

#include <atomic>
#include <functional>

#include "app/run/replay_inputs.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/port/executor.h"

namespace recmeter {

// What asks for the join alone: no metrics and no segments, in windows of a day.
[[nodiscard]] EvaluatorSpec join_alone(EvaluatorSpec spec);

// With one shard, by `executor`. One thread at a time calls the witness. Errors: those of Replay::run(). The report is not
// complete where `stop` ended the run.
[[nodiscard]] Result<Report> watched_replay(const EvaluatorPlan& plan, ReplayInputs inputs, RunWitness& witness,
                                            Executor& executor, const std::function<void(const ReplayProgress&)>& progress,
                                            const std::atomic<bool>& stop);

}  // namespace recmeter
