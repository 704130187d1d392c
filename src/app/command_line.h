// The command line as it was understood: which command, with which options. [I2].
//
// The one place that knows the parser, but for the options of generate. What the commands do is theirs.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/attach_command.h"
#include "app/demo/demo_command.h"
#include "app/exit_code.h"
#include "app/explain_command.h"
#include "app/generate/generate_command.h"
#include "app/metrics_command.h"
#include "app/replay_command.h"
#include "app/report_command.h"
#include "app/state_command.h"
#include "app/top/command.h"

namespace recmeter {

struct ValidateCommand {
  std::string config;
  bool connects = false;       // asks brokers and looks at files, too
  std::optional<double> rate;  // lists a second, to say what that needs
};
struct InitCommand {
  bool live = false;
};
struct VersionCommand {};
// What there is to say instead of doing anything, on standard output or, with another code than 0, on standard error.
struct Told {
  std::string text;
  ExitCode code = ExitCode::ok;
};

using Command =
    std::variant<Told, ReplayCommand, AttachCommand, DemoCommand, ExplainCommand, MetricsCommand, ReportCommand, StateCommand,
                 TopCommand, generate::GenerateOptions, ValidateCommand, InitCommand, VersionCommand>;

// Faults of usage are complained of here, with the nearest word that there is.
[[nodiscard]] Command command_from(int argc, char** argv);

}  // namespace recmeter
