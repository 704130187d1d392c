// Interruption: what Ctrl-C and SIGTERM mean: the first asks the run to finish what is final, the second ends the process at
// once.
#pragma once

#include <atomic>
#include <functional>

namespace recmeter {

// For what may take long after `stop`: true from 3 s after `stop` was first seen to be set. One thread; outlived by `stop`.
[[nodiscard]] std::function<bool()> out_of_patience(const std::atomic<bool>& stop);

// Installs the handlers, for the process; also ignores SIGPIPE and SIGXFSZ, so that writing fails with a message instead. The
// flag becomes true at the first signal. Call once.
[[nodiscard]] const std::atomic<bool>& watch_for_interruption();

}  // namespace recmeter
