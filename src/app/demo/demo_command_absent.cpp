#include "app/demo/demo_command.h"
#include "app/messages.h"

namespace recmeter {

ExitCode run_demo(const DemoCommand& /*command*/, const std::atomic<bool>& /*interrupted*/) {
  complain(
      {Errc::config_invalid, "this build has no Kafka, which the demonstration needs; see scripts/demo for one without"});
  return ExitCode::usage;
}

}  // namespace recmeter
