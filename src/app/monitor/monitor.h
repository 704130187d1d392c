// Monitor: a run as it can be watched: its rows and its state over HTTP, while it goes on.
//
// Thread safety: the members for the run are called from the run's thread; clients are served on a thread of the monitor's
// own, and the run never waits for them. Errors: config_invalid, output_failed (docs/troubleshooting.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

class Monitor {
 public:
  // Listens when it returns, before there is a state: until opened() it says that it is being opened, and answers no question
  // for rows. `state_directory`: what it takes on disk is told; "": there is none. `keep`: for how long it keeps a row.
  // `config` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Monitor>> start(const Config& config, const std::string& state_directory,
                                                              Duration keep);
  ~Monitor();

  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::string probes_url() const;  // "": probes have no port of their own

  // Before the run: whether its disks have room for the state to be opened; and the state once it is open, where results are
  // kept, which are read beside the run. `kept` outlives it. Errors: those of the store.
  void opening(bool has_room);
  [[nodiscard]] Result<void> opened(const StateStore& kept);
  // Serves as this says from now on, with token, certificate and key read anew. What cannot be had is as it was. Requires:
  // `http.is_on`. Errors: those of start().
  [[nodiscard]] Result<void> reload(const PublishSpec::Http& http);

  // Instead of start()'s `keep`.
  void keep_for(Duration keep);

  // For the run: each row as it is made, how it stands, what it tells its user, that the state holds what was made.
  void seen(const SharedRow& row);
  void seen(const SharedExperimentRow& row);
  void status(const RunStatus& status);
  void show_message(std::string_view message);
  void kept();

 private:
  struct Impl;
  explicit Monitor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
