// StateMarker: the file STATE of a state directory: whose it is, and in which version of the format.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::rocksdb_state {

// Makes the directory, if it is not there, and the file in it. Errors: state_unusable.
[[nodiscard]] Result<void> make_marker(const std::string& directory);
// Marks a state of an older format as one of this, before anything of this format is written: a program that knows only the
// older one refuses it from then on. Errors: state_unusable.
[[nodiscard]] Result<void> raise_marker(const std::string& directory);

}  // namespace recmeter::rocksdb_state
