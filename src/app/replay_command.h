// The command `recmeter replay`: files in, rows and a run report out. [I2].
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "app/exit_code.h"

namespace recmeter {

struct ReplayCommand {
  std::string config;
  std::string output;  // "": standard output
  std::string report;
  std::string lists;
  std::string curves;
  std::string format;  // "": table on a terminal, else jsonl
  std::optional<unsigned> threads;
  std::string from;
  std::string to;
  std::string listen;         // "": nobody watches
  std::string speed = "max";  // of event time
  std::string progress;       // "": a line on a terminal, else plain
  std::vector<std::string> inputs;
};

[[nodiscard]] ExitCode run_replay(const ReplayCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
