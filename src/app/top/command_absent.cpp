#include <CLI/CLI.hpp>

#include "app/messages.h"
#include "app/top/command.h"

namespace recmeter {

CLI::App* add_top_command(CLI::App& app, TopCommand& command) {
  CLI::App* sub = app.add_subcommand("top", "Watch a running evaluator in the terminal (not in this build)");
  sub->add_option("URL", command.url, "Where it listens")->type_name("");
  return sub;
}

ExitCode run_top(const TopCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain("this program was built without the HTTP connector (RECMETER_CORE_ONLY); build preset release");
  return ExitCode::usage;
}

}  // namespace recmeter
