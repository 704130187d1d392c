#include "app/commands/command.h"

#include <map>

namespace recmeter {

namespace {

// Made by whichever registration is initialised first.
std::map<CommandPlace, DefineCommand>& registered() {
  static std::map<CommandPlace, DefineCommand> commands;
  return commands;
}

}  // namespace

CommandRegistration::CommandRegistration(CommandPlace place, DefineCommand define) {
  registered().emplace(place, define);
}

std::vector<Command> define_commands(CLI::App& parser) {
  std::vector<Command> commands;
  for (const auto& [place, define] : registered()) commands.push_back(define(parser));
  return commands;
}

}  // namespace recmeter
