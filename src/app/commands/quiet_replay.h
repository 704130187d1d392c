// A log of a command that makes no rows: its faults are told. [I2].
#pragma once

#include <atomic>
#include <functional>

#include "app/answers/read_log.h"
#include "app/commands/replay_request.h"
#include "app/console/exit_code.h"
#include "config/config.h"
#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

// Input of the command; columns that its files lack are told. `command`, `stop` and the configuration outlive it. Errors:
// config_invalid, of an option.
[[nodiscard]] Result<AskedLog> asked_log(const ReplayCommand& command, const Config& config, const std::atomic<bool>& stop);

// Errors and limits are told. beyond_limits: all was read, and too much of it is invalid or lost, or there was no list.
[[nodiscard]] ExitCode told(const Result<LogReading>& read);

// Replays by `command.config`; take(row) gets every look, in order, and all of them again where the replay starts over.
[[nodiscard]] ExitCode replay_looks(const ReplayCommand& command, const std::atomic<bool>& stop,
                                    const std::function<void(ExperimentRow row)>& take);

}  // namespace recmeter
