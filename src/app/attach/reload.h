// What SIGHUP makes of a live run: which keys of a configuration that was read anew hold at once, which hold once the run has
// begun anew within the program, and which wait for the program's next start. [I2.37], docs/configuration.md.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace recmeter {

// Places of keys ("kafka.align"), in their order. Free keys but those of `refused`.
struct Reload {
  std::vector<std::string> at_once;
  std::vector<std::string> anew;      // a run that begins has them: it goes on from the state, as after a restart
  std::vector<std::string> at_start;  // they stay as they are while the program runs
  // Additive and meaning keys: with one of these nothing of the configuration is taken.
  std::vector<std::string> refused;
};

// Pure; any thread.
[[nodiscard]] Reload reload_of(const Config& before, const Config& now);

// `now` with what stays as it is.
[[nodiscard]] Config reloaded(const Config& before, Config now);

// What is said of it: "read anew: ...", without a full stop.
[[nodiscard]] std::string text_of(const Reload& reload);

}  // namespace recmeter
