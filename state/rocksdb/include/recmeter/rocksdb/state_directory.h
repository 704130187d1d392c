// What can be said of a state directory without opening its store. Reads only; nothing is made, changed or locked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::rocksdb_state {

inline constexpr std::uint32_t format_version = 2;  // state/FORMAT.md; of what this program writes

// The format of the state that is there; 0: there is none. Errors: state_unusable where the directory is somebody else's, of
// a newer format, or cannot be read.
[[nodiscard]] Result<std::uint32_t> format_of(const std::string& directory);

// The process that has the state in use: "process 4711 (recmeter)". Nothing when nobody has, or the asking process itself.
[[nodiscard]] std::optional<std::string> holder_of(const std::string& directory);

// Of all its files.
[[nodiscard]] std::uint64_t bytes_on_disk(const std::string& directory);

// Reads every file of the database and compares what it holds with its checksums, its log too. Errors: state_unusable, with
// what RocksDB says of the place.
[[nodiscard]] Result<void> verify_files(const std::string& directory);

}  // namespace recmeter::rocksdb_state
