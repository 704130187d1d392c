// Command: a word of the command line, its options, and what it does with them.
//
// Each file of this folder defines one command and registers it, so that a build without Kafka or HTTP (RECMETER_CORE_ONLY)
// leaves files out. Thread safety: none; registered before main().
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "app/console/exit_code.h"

namespace CLI {
class App;
}

namespace recmeter {

// What a command does once its options are parsed, until `stop` becomes true.
using CommandAction = std::function<ExitCode(const std::atomic<bool>& stop)>;

struct Command {
  CLI::App* options;
  CommandAction run;
};

// Adds the subcommand to the parser; the action owns what the options are parsed into.
using DefineCommand = Command (*)(CLI::App& parser);

// Where commands stand in the help.
enum class CommandPlace : int {
  infer,
  doctor,
  validate,
  init,
  replay,
  explain,
  metrics,
  report,
  compare,
  why,
  prequential,
  recommenders,
  examination,
  attach,
  top,
  state,
  stamp,
  merge,
  demo,
  generate,
  manual,
  version
};

// A file's command registers itself by an object of this type.
class CommandRegistration {
 public:
  CommandRegistration(CommandPlace place, DefineCommand define);
};

// All that are registered, in the order of their places.
[[nodiscard]] std::vector<Command> define_commands(CLI::App& parser);

}  // namespace recmeter
