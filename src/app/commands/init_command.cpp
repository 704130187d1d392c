// The command `recmeter init`: a configuration to start from. [I2]
#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/command.h"
#include "app/console/standard_output.h"
#include "config/starter.h"

namespace recmeter {

namespace {

Command define(CLI::App& parser) {
  CLI::App* sub = parser.add_subcommand("init", "Write a commented starter configuration to standard output");
  const auto live = std::make_shared<bool>(false);
  sub->add_flag("--live", *live, "One for recmeter attach, with topics, state, publishing and their defaults");
  return {sub, [live](const std::atomic<bool>& /*stop*/) { return print(*live ? live_starter_config() : starter_config()); }};
}

const CommandRegistration registration(CommandPlace::init, define);

}  // namespace

}  // namespace recmeter
