// The newest look of an experiment as text, below the table of a replay's rows. Pure; any thread.
#pragma once

#include <string>

#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

// The verdict, who counts, and a line for each metric and arm: values, change against control, and its interval for all
// looks.
[[nodiscard]] std::string experiment_table(const ExperimentRow& row);

}  // namespace recmeter
