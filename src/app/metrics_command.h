// The command `recmeter metrics`: what each metric is. [I2].
#pragma once

#include <string>

#include "app/exit_code.h"

namespace recmeter {

struct MetricsCommand {
  std::string name;    // "": all
  std::string format;  // "": text, or JSON where messages are
};

[[nodiscard]] ExitCode run_metrics(const MetricsCommand& command);

}  // namespace recmeter
