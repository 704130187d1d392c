#include <CLI/CLI.hpp>

#include "app/messages.h"
#include "app/state_command.h"

namespace recmeter {

CLI::App* add_state_command(CLI::App& app, StateCommand& command) {
  CLI::App* sub = app.add_subcommand("state", "Look at a state directory (not in this build)");
  sub->add_option("DIR", command.directory, "The state.dir of an attach")->type_name("");
  return sub;
}

ExitCode run_state(const StateCommand& /*command*/) {
  complain("this program was built without Kafka and RocksDB (RECMETER_CORE_ONLY); build preset release");
  return ExitCode::usage;
}

}  // namespace recmeter
