// The command `recmeter top`: a running evaluator at a glance, in a terminal. [I2]. A build without the connectors
// it needs (RECMETER_CORE_ONLY) has another body, which refuses.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/exit_code.h"

namespace recmeter {

struct TopCommand {
  std::string url;
  std::string token_file;  // "": no token
  std::string ca_file;     // "": what the system trusts
  std::string window;
  std::string horizon;
  std::vector<std::string> metrics;
  std::string every = "2s";
  bool once = false;
};

[[nodiscard]] ExitCode run_top(const TopCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
