#include "app/messages.h"
#include "app/state_command.h"

namespace recmeter {

ExitCode run_state(const StateCommand& /*command*/) {
  complain(
      {Errc::config_invalid, "this program was built without Kafka and RocksDB (RECMETER_CORE_ONLY); build preset release"});
  return ExitCode::usage;
}

}  // namespace recmeter
