// ReplayWatch: `replay --listen`: a replay as it can be watched, as a live run is: its rows and how it stands over HTTP,
// while it goes on and afterwards. A build without HTTP (RECMETER_CORE_ONLY) has another body, which refuses.
//
// All rows are kept in memory until the end. Thread safety: the replay's thread; clients are served on the monitor's own, and
// the replay waits for none of them. Errors of start(): those of Monitor::start.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "app/config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/pipeline/live_status.h"
#include "recmeter/result/row.h"

namespace recmeter {

class ReplayWatch {
 public:
  // Listens where `config` says when it returns. `config` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<ReplayWatch>> start(const Config& config);
  ~ReplayWatch();

  [[nodiscard]] std::string url() const;
  void seen(const Row& row);
  // `make` is called when it is time for it, about once a second.
  void stands(const std::function<LiveStatus()>& make);
  // The replay is over: shows what it gave until `stop` becomes true.
  void serve(const Report& report, const std::atomic<bool>& stop);

 private:
  struct Impl;
  explicit ReplayWatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
