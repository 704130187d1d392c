// open_store: a StateStore in a directory, by RocksDB.
//
// The directory is recmeter's alone: it holds a file STATE that names the format and its version, and the database. It is
// made, with its database, where there is none yet and its parent is. What is made is its owner's alone (directories of
// 0700), since it holds user ids; rights of what is there already stay. One process has it at a time.
//
// Survives (Durability): `process` by the write-ahead log in the system's memory, `machine` by syncing it. A batch is whole
// or not there, and what is there after a crash is a prefix of what was written (RocksDB's point-in-time recovery).
//
// Errors of open_store: state_in_use, another process has it; state_unusable, in one sentence with the remedy: no parent
// directory, no right to write, not recmeter's, of a newer format, damaged. Nothing is deleted or repaired. Errors
// of the store: state_unusable (damaged) and storage_failed. After one the store is not touched again and must not be
// destroyed: RocksDB may hang or abort on a full or failing disk, so the program ends by _exit().
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"

namespace recmeter::rocksdb_state {

struct StoreOptions {
  std::size_t memory = std::size_t{64} << 20;  // of caches and buffers, about
  bool create = true;                          // make what is not there
  bool read_only = false;                      // no lock, nothing is changed; needs a state that is there
};

[[nodiscard]] Result<std::unique_ptr<StateStore>> open_store(const std::string& directory, const StoreOptions& options);

}  // namespace recmeter::rocksdb_state
