#include "app/messages.h"
#include "app/report_command.h"

namespace recmeter {

ExitCode run_report(const ReportCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain({Errc::config_invalid, "this program was built without the page (RECMETER_CORE_ONLY); build preset release"});
  return ExitCode::usage;
}

}  // namespace recmeter
