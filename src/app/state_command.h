// The commands `recmeter state info` and `recmeter state check`: what a state directory holds, and whether it is sound.
// [I2]. They change nothing. A build without RocksDB (RECMETER_CORE_ONLY) has another body, which refuses.
#pragma once

#include <string>

#include "app/exit_code.h"

namespace recmeter {

struct StateCommand {
  std::string directory;
  std::string format;  // "": text, or JSON where messages are
  bool check = false;  // instead of info
};

[[nodiscard]] ExitCode run_state(const StateCommand& command);

}  // namespace recmeter
