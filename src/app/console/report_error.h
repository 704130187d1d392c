// An error is told to the user, and becomes the exit code of the program.
#pragma once

#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "recmeter/base/error.h"

namespace recmeter {

// Whoever reads standard output has gone, and wants no more: a quiet end, as of `... | head`. It is an interruption without a
// sentence.
[[nodiscard]] inline Error reader_gone() {
  return {Errc::interrupted, {}};
}
[[nodiscard]] inline bool is_reader_gone(const Error& error) {
  return error.code == Errc::interrupted && error.context.empty();
}

inline ExitCode report_error(const Error& error) {
  if (is_reader_gone(error)) return ExitCode::ok;
  complain(error);
  return exit_code_of(error.code);
}

}  // namespace recmeter
