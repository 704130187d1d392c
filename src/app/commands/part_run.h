// `recmeter replay --part`: one part of a log becomes a partial. [S11].
#pragma once

#include <atomic>

#include "app/commands/replay_request.h"
#include "app/console/exit_code.h"

namespace recmeter {

[[nodiscard]] ExitCode run_part(const ReplayCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
