#include <CLI/CLI.hpp>

#include "app/attach_command.h"
#include "app/messages.h"

namespace recmeter {

CLI::App* add_attach_command(CLI::App& app, AttachCommand& command) {
  CLI::App* sub = app.add_subcommand("attach", "Evaluate live topics (not in this build)");
  sub->add_option("-c,--config", command.config, "Configuration (YAML)")->type_name("FILE");
  return sub;
}

ExitCode run_attach(const AttachCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain("this program was built without Kafka and RocksDB (RECMETER_CORE_ONLY); build preset release");
  return ExitCode::usage;
}

}  // namespace recmeter
