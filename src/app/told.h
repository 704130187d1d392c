// An error is told to the user, and becomes the exit code of the program.
#pragma once

#include "app/exit_code.h"
#include "app/messages.h"
#include "recmeter/base/error.h"

namespace recmeter {

inline ExitCode told(const Error& error) {
  complain(error);
  return exit_code_of(error.code);
}

}  // namespace recmeter
