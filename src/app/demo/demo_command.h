// The command `recmeter demo`: generator, broker and attach in one process, and the rolling table of what it finds.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "app/exit_code.h"

namespace recmeter {

struct DemoCommand {
  std::uint64_t seconds = 0;  // of traffic; 0: until it is interrupted
  std::uint64_t lists_per_second = 200;
  std::string listen;  // host:port; empty: as attach does where nothing is configured
};

[[nodiscard]] ExitCode run_demo(const DemoCommand& command, const std::atomic<bool>& interrupted);

}  // namespace recmeter
