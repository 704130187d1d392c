// PinnedEnds as a file. [I2.33]. A line for each partition: its name, the first offset there was, and the one behind the last
// record that is read, with tabs between them.
#pragma once

#include <string>

#include "app/run/replay_inputs.h"
#include "recmeter/base/result.h"

namespace recmeter {

// How many partitions. Errors: config_invalid, where no topic is read; output_failed.
[[nodiscard]] Result<std::size_t> write_ends(const ReplayInputs& inputs, const std::string& path);
// "": none. Errors: those of the file; config_invalid, where it is none of write_ends().
[[nodiscard]] Result<PinnedEnds> read_ends(const std::string& path);

}  // namespace recmeter
