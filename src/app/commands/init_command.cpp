// The command `recmeter init`: a configuration to start from. [I2]
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/option_values.h"
#include "app/console/standard_output.h"
#include "config/shapes.h"
#include "config/starter.h"

namespace recmeter {

namespace {

struct InitCommand {
  bool live = false;
  std::string shape;  // a preset, instead
};

ExitCode run_init(const InitCommand& command) {
  if (!command.shape.empty()) return print(*shape_config(command.shape));
  return print(command.live ? live_starter_config() : starter_config());
}

Command define_init(CLI::App& parser) {
  CLI::App* sub = parser.add_subcommand("init", "Write a commented starter configuration to standard output");
  const auto command = std::make_shared<InitCommand>();
  sub->add_flag("--live", command->live, "One for recmeter attach, with topics, state, publishing and their defaults");
  const std::vector<std::string_view> names = shape_names();
  sub->add_option("--shape", command->shape, "The preset for logs of a known kind, such as ga4; docs/logs.md lists them")
      ->type_name("NAME")
      ->check(one_of_words({names.begin(), names.end()}));
  return {sub, [command](const std::atomic<bool>& /*stop*/) { return run_init(*command); }};
}

const CommandRegistration init_registration(CommandPlace::init, define_init);

}  // namespace

}  // namespace recmeter
