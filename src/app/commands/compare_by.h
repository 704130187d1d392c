// `recmeter compare --by KEY`: the lists of a segment key's values at one look, from events or from what `replay --lists`
// wrote. [S10.33].
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/console/exit_code.h"

namespace recmeter {

struct AskedLists {
  std::vector<std::string> inputs;
  std::string config;   // of events; "": the defaults, unless the inputs are lists
  std::string by;       // the segment key; file: each file is a variant
  std::string control;  // "": by its name
  std::string format;   // table, json or markdown
};

// Errors are told.
[[nodiscard]] ExitCode compare_lists(const AskedLists& asked, const std::atomic<bool>& stop);
// `compare --plan`: how long an experiment has to last that finds a change of `mde`, by the lists of a log. `by` may be "".
[[nodiscard]] ExitCode plan_experiment(const AskedLists& asked, double mde, const std::atomic<bool>& stop);

}  // namespace recmeter
