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

class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressMeter(ProgressForm form) : form_(form), begin_(Clock::now()) {}
  ~ProgressMeter() { clear(); }
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  void show(const ReplayProgress& progress);
  // Takes the line off the terminal.
  void clear();

 private:
  ProgressForm form_;
  Clock::time_point begin_;
  Clock::time_point last_{};
  bool shown_ = false;
};

// "38 %, 4120000 events, 412 k events/s, about 20 seconds left"; `seconds`: since the start.
[[nodiscard]] std::string progress_text(const ReplayProgress& progress, double seconds);
[[nodiscard]] std::string progress_json(const ReplayProgress& progress, double seconds);

}  // namespace recmeter
