// A replay of which nothing is written: a command wants its rows, looks at experiments, or what lists add up to.
#pragma once

#include <atomic>
#include <functional>

#include "app/commands/replay_request.h"
#include "app/console/exit_code.h"
#include "config/config.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

struct QuietReplay {
  bool follows_experiments = false;
  bool wants_lists = false;                               // scored lists
  std::function<void(EvaluatorPlan& plan)> planned = {};  // once; may be empty
  // Before each start; a replay starts over where its inputs have to be sorted. Where rows go; null: nowhere.
  std::function<RowSink*(const EvaluatorPlan& plan, ReplayOptions& options)> begin;
  std::function<void(const EvaluatorPlan& plan)> end = {};  // of a replay that is complete; may be empty
};

// Replays `command.inputs` by `config`. Errors are told. beyond_limits: all was read, and too much of it is invalid
// or lost, or there was no list.
[[nodiscard]] ExitCode replay_quietly(const ReplayCommand& command, const Config& config, const std::atomic<bool>& stop,
                                      const QuietReplay& quiet);

// Replays by `command.config`; take(row) gets every look, in order, and all of them again where the replay starts over.
[[nodiscard]] ExitCode replay_looks(const ReplayCommand& command, const std::atomic<bool>& stop,
                                    const std::function<void(ExperimentRow row)>& take);

}  // namespace recmeter
