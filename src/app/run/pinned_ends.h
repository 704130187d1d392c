// The ends of topics' partitions as a file: so that tasks that read the topics at different times read the same. [I2.33].
//
// A line for each partition: its name, a tab, the offset behind the last record that is read.
#pragma once

#include <string>

#include "app/run/replay_inputs.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Errors: config_invalid, where no topic is read; output_failed.
[[nodiscard]] Result<void> write_ends(const ReplayInputs& inputs, const std::string& path);
// "": none. Errors: those of the file; config_invalid, where it is none of write_ends().
[[nodiscard]] Result<PinnedEnds> read_ends(const std::string& path);

}  // namespace recmeter
