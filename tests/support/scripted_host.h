// ScriptedHost: a RunHost for tests: its clock moves on by a millisecond each time it is asked, and it ends the run when that
// has had nothing to do so many times.
#pragma once

#include <cstddef>

#include "recmeter/live/run_host.h"

namespace recmeter::support {

class ScriptedHost : public RunHost {
 public:
  explicit ScriptedHost(std::size_t waits_max, EventTime clock = event_time_end) : waits_max_(waits_max), clock_(clock) {}

  EventTime now() override {
    clock_.ms += 1;
    return clock_ - Duration{1};
  }
  void wait() override { ++waits_; }
  Result<RunMode> mode() override { return waits_ > waits_max_ ? RunMode::end : RunMode::go_on; }

 protected:
  [[nodiscard]] std::size_t waits() const { return waits_; }

 private:
  std::size_t waits_max_;
  EventTime clock_;  // as the default, ahead of every broker's
  std::size_t waits_ = 0;
};

}  // namespace recmeter::support
