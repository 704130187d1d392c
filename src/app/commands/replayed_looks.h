// What a replay says of the configured experiments, without its rows.
#pragma once

#include <atomic>
#include <functional>

#include "app/commands/replay_request.h"
#include "app/console/exit_code.h"
#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

// Replays `command.inputs` by `command.config`; take(row) gets every look, in order, and all of them again where the replay
// starts over because the inputs have to be sorted. What goes wrong is told. beyond_limits: all looks were taken, and too
// much of the input is invalid or lost.
[[nodiscard]] ExitCode replay_looks(const ReplayCommand& command, const std::atomic<bool>& stop,
                                    const std::function<void(ExperimentRow row)>& take);

}  // namespace recmeter
