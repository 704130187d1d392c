// StateMarker: the file STATE of a state directory: whose it is, and in which version of the format.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::rocksdb_state {

enum class MarkerState : std::uint8_t { sound, absent };

// Errors: state_unusable where the directory is somebody else's, of a newer format, or cannot be read.
[[nodiscard]] Result<MarkerState> look_at_marker(const std::string& directory);
// Makes the directory, if it is not there, and the file in it. Errors: state_unusable.
[[nodiscard]] Result<void> make_marker(const std::string& directory);

}  // namespace recmeter::rocksdb_state
