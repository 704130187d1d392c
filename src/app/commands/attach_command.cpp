// The command `recmeter attach`: live evaluation of topics. [I2]
#include <memory>

#include "app/attach/live_run.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"

namespace recmeter {

namespace {

Command define_attach(CLI::App& parser) {
  const auto command = std::make_shared<AttachCommand>();
  CLI::App* sub = parser.add_subcommand("attach", "Evaluate live topics and publish each window when it is final");
  sub->add_option("-c,--config", command->config, "Configuration (YAML), see recmeter init")->type_name("FILE")->required();
  sub->add_option("-j,--threads", command->threads, "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->type_name("N")
      ->check(whole_number_up_to(threads_max));
  sub->add_flag("--rebuild", command->rebuild, "Read the events again if the configuration changes what they mean");
  sub->add_flag("--overwrite", command->overwrite,
                "With a new state, publish to a topic that already holds final rows of this evaluator");
  sub->add_option("-r,--report", command->report, "Where the run report goes (JSON) when the run ends")->type_name("FILE");
  sub->footer(
      "Continues where the state (state.dir) ended. SIGTERM or Ctrl-C: finishes, keeps its state and ends; again: ends at "
      "once.\n"
      "SIGHUP: reads free keys, token and certificate anew, and opens files of rows that were moved away.\n"
      "More windows, segments, metrics or shorter horizons hold for windows that start from then on. Another meaning of\n"
      "events (inputs, credit, gains, the longest horizon, lateness) is refused without --rebuild; with it, rows that are\n"
      "published stay, and those after them are made by the new configuration (docs/configuration.md).\n"
      "A new state does not publish to a topic that holds final rows of this evaluator without --overwrite\n"
      "(docs/outputs.md).\n"
      "Exit codes: 0 ended when asked to; 1 failed; 2 usage or configuration; 4 the state cannot be resumed.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_attach(*command, stop); }};
}

const CommandRegistration attach_registration(CommandPlace::attach, define_attach);

}  // namespace

}  // namespace recmeter
