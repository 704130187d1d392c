// Interruption: what signals ask of the program. SIGTERM and Ctrl-C (SIGINT): the first asks it to finish what is final, the
// second ends it at once. A program that SIGTERM has not ended within 1.5 s, inside one record, say, is ended as it is: what
// it keeps survives that. SIGHUP: an attach reads its configuration and its files anew.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "app/console/exit_code.h"

namespace recmeter {

// A supervisor that has sent SIGTERM waits 2 s, which leaves half a second for the end itself.
inline constexpr std::chrono::milliseconds end_at_latest{1'500};

// For what may take long after `stop`: true from some time after `stop` was first seen to be set: 3 s, or 0.7 s where the
// process is to end soon. One thread; outlived by `stop`.
[[nodiscard]] std::function<bool()> out_of_patience(const std::atomic<bool>& stop);

// Installs the handlers, for the process; also ignores SIGPIPE and SIGXFSZ, so that writing fails with a message instead.
// Call once, as the first thing. `is_attach`: a run that goes on by itself: SIGTERM ends it with 0, not 130, and SIGHUP does
// not end it.
void watch_for_interruption(bool is_attach) noexcept;
// Becomes true at the first SIGTERM or SIGINT.
[[nodiscard]] const std::atomic<bool>& interruption();
// What the process ends with where its command has ended with `code`: one that SIGTERM has ended is not well, unless it is an
// attach.
[[nodiscard]] ExitCode exit_code_after(ExitCode code);

// SIGHUP, for one thread that takes it.
class Hangups {
 public:
  // Says whether one has come since this was asked last.
  bool take();
  // From await(true) to await(false) set by a SIGHUP, and always by what sets interruption(): so that one can wait for both.
  [[nodiscard]] const std::atomic<bool>& wakes() const { return wakes_; }
  void await(bool is_awaited);

  // For the handlers.
  void come() noexcept;
  void wake() noexcept { wakes_ = true; }

 private:
  std::atomic<bool> has_come_ = false;
  std::atomic<bool> is_awaited_ = false;
  std::atomic<bool> wakes_ = false;
};
[[nodiscard]] Hangups& hangups();

}  // namespace recmeter
