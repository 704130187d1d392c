// The command line: parsed, and the command it names run. [I2]
#pragma once

#include <atomic>

#include "app/console/exit_code.h"

namespace recmeter {

// Faults of usage are reported with the nearest word that there is. The command runs until `stop` becomes true.
[[nodiscard]] ExitCode run_command_line(int argc, char** argv, const std::atomic<bool>& stop);

}  // namespace recmeter
