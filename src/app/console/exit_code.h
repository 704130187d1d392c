// Exit codes of the program. [I2]; scripts depend on them.
#pragma once

#include "recmeter/base/error.h"

namespace recmeter {

enum class ExitCode : int {
  ok = 0,
  failed = 1,         // while running
  usage = 2,          // command line or configuration
  beyond_limits = 3,  // finished, but too much of the input was invalid, late or in the future
  state_unusable = 4,
  hold = 10,  // an experiment is not decided, or broken
  stop = 11,  // an arm is not to be shipped
  interrupted = 130,
};

[[nodiscard]] constexpr ExitCode exit_code_of(Errc code) {
  if (code == Errc::config_invalid) return ExitCode::usage;
  if (code == Errc::state_unusable) return ExitCode::state_unusable;
  return code == Errc::interrupted ? ExitCode::interrupted : ExitCode::failed;
}

}  // namespace recmeter
