#include <CLI/CLI.hpp>

#include "app/messages.h"
#include "app/report_command.h"

namespace recmeter {

CLI::App* add_report_command(CLI::App& app, ReportCommand& command) {
  CLI::App* sub = app.add_subcommand("report", "Make one HTML page of the rows of a replay (not in this build)");
  sub->add_option("ROWS", command.rows, "Rows as replay writes them")->type_name("");
  return sub;
}

ExitCode run_report(const ReportCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain("this program was built without the page (RECMETER_CORE_ONLY); build preset release");
  return ExitCode::usage;
}

}  // namespace recmeter
