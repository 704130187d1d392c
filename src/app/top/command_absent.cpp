#include "app/messages.h"
#include "app/top/command.h"

namespace recmeter {

ExitCode run_top(const TopCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain(
      {Errc::config_invalid, "this program was built without the HTTP connector (RECMETER_CORE_ONLY); build preset release"});
  return ExitCode::usage;
}

}  // namespace recmeter
