// ProgressMeter: how far a replay is, on standard error, from its third second on. [I2].
//
// On a terminal one line that is written over; elsewhere, or when asked, a line now and then. The time left is told coarsely,
// and not at all while it cannot be known. Thread safety: none.
#pragma once

#include <chrono>
#include <string>

#include "recmeter/evaluation/replay.h"

namespace recmeter {

enum class ProgressForm { line, plain, json, none };

// What is done now, of a run that does several things one after the other, and what it counts.
struct ProgressPhase {
  std::string name = {};  // "": there is one
  std::string unit = "events";
};

class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressMeter(ProgressForm form) : form_(form), begin_(Clock::now()), phase_begin_(begin_) {}
  ~ProgressMeter() { clear(); }
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  void show(const ReplayProgress& progress);
  // From here on shares, speeds and the time left are those of this phase.
  void begin(ProgressPhase phase);
  // Takes the line off the terminal.
  void clear();

 private:
  ProgressForm form_;
  Clock::time_point begin_;
  ProgressPhase phase_;
  Clock::time_point phase_begin_;
  Clock::time_point last_{};
  bool shown_ = false;
};

// "38 %, 4120000 events, 412 k events/s, about 20 seconds left", with the name of the phase in front; `seconds`: since its
// start.
[[nodiscard]] std::string progress_text(const ReplayProgress& progress, double seconds, const ProgressPhase& phase = {});
[[nodiscard]] std::string progress_json(const ReplayProgress& progress, double seconds, const ProgressPhase& phase = {});

}  // namespace recmeter
