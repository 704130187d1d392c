// recmeter attach: live evaluation of topics. [I2].
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/console/exit_code.h"
#include "app/run/interruption.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/result/rendered_row.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct AttachCommand {
  std::string config;
  bool rebuild = false;
  bool overwrite = false;  // publish with a new state to a topic that has final rows of this evaluator
  std::optional<unsigned> threads;
  std::string report;  // "": none
};

// What of a run is not in its configuration.
struct AttachWiring {
  std::optional<unsigned> threads;                              // absent: as configured
  bool rebuild = false;                                         // as attach --rebuild
  bool overwrite = false;                                       // as attach --overwrite
  RowPublisher* publisher = nullptr;                            // instead of the configured places
  std::function<void(const SharedRow&)> seen = {};              // as RunHost::row
  bool wants_provisional = false;                               // as AttachOptions::wants_provisional
  std::function<void(const std::string& url)> watched_at = {};  // told where its page is, if it has one
  // The run is over and its rows are kept; before it leaves its group, which waits for brokers. May be empty.
  std::function<void(const Report&)> ended = {};
  Hangups* hangups = nullptr;                              // SIGHUP; null: nothing is read anew
  std::function<std::optional<Config>()> load_again = {};  // the configuration as it is now; none: bad, as was said
};
// Until `stop` becomes true.
[[nodiscard]] Result<Report> attach(const Config& config, const AttachWiring& wiring, const std::atomic<bool>& stop);

// Until `stop` becomes true.
[[nodiscard]] ExitCode run_attach(const AttachCommand& command, const std::atomic<bool>& stop);

}  // namespace recmeter
