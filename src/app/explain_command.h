// The command `recmeter explain`: one list, its feedback and its metrics, line by line. [I2].
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/exit_code.h"

namespace recmeter {

struct ExplainCommand {
  std::string config;
  std::string list_id;
  std::string user_id;  // "": of every user
  std::string format;   // "": text, or JSON where messages are
  std::vector<std::string> inputs;
};

[[nodiscard]] ExitCode run_explain(const ExplainCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
