#include "app/attach_command.h"
#include "app/messages.h"

namespace recmeter {

ExitCode run_attach(const AttachCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  complain(
      {Errc::config_invalid, "this program was built without Kafka and RocksDB (RECMETER_CORE_ONLY); build preset release"});
  return ExitCode::usage;
}

}  // namespace recmeter
