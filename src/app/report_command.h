// The command `recmeter report`: a replay's rows as one HTML file. [I2]. A build without the page's connectors
// (RECMETER_CORE_ONLY) has another body, which refuses.
#pragma once

#include <atomic>
#include <string>

#include "app/exit_code.h"

namespace recmeter {

struct ReportCommand {
  std::string rows;    // "-": standard input
  std::string output;  // "": standard output
  std::string report;  // of the run; "": there is none
};

[[nodiscard]] ExitCode run_report(const ReportCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
