// ReplayWatch: a replay as it can be watched while it goes on and afterwards (`replay --listen`).
//
// Thread safety: the replay's thread; clients are served on threads of the watch, and the replay waits for none of them.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/result/rendered_row.h"
#include "recmeter/result/report.h"

namespace recmeter {

class ReplayWatch {
 public:
  virtual ~ReplayWatch() = default;

  [[nodiscard]] virtual std::string url() const = 0;
  virtual void seen(const SharedRow& row) = 0;
  // `make` is called when it is time for it, about once a second.
  virtual void stands(const std::function<RunStatus()>& make) = 0;
  // The replay is over, and what it gave is shown when this returns.
  virtual void ended(const Report& report) = 0;
  // Goes on showing it until `stop` becomes true.
  virtual void serve(const std::atomic<bool>& stop) = 0;
};

// Listens where `config` says when it returns. `config` outlives the watch. Errors: those of a server that starts.
using WatchReplay = Result<std::unique_ptr<ReplayWatch>>(const Config& config);

}  // namespace recmeter
