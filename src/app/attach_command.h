// recmeter attach: live evaluation of topics. INTERFACES §2. A build without Kafka (RECMETER_CORE_ONLY) has another body,
// which refuses.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "app/exit_code.h"

namespace CLI {
class App;
}

namespace recmeter {

struct AttachCommand {
  std::string config;
  bool rebuild = false;
  std::optional<unsigned> threads;
};

CLI::App* add_attach_command(CLI::App& app, AttachCommand& command);
// Until `stop` becomes true.
[[nodiscard]] ExitCode run_attach(const AttachCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
