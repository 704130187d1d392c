// How RocksDB is used for a state, and what it says when it cannot be.
#pragma once

#include <rocksdb/options.h>

#include <string>

#include "recmeter/rocksdb/open_store.h"

namespace recmeter::rocksdb_state {

[[nodiscard]] rocksdb::Options database_options(const StoreOptions& options);

// Why the state in `directory` cannot be opened, with the remedy.
[[nodiscard]] tl::unexpected<Error> unusable(const std::string& directory, const rocksdb::Status& status);
// Why it cannot be read or written any more since it was opened: state_unusable where it is damaged, else storage_failed.
[[nodiscard]] tl::unexpected<Error> failed(const std::string& directory, const rocksdb::Status& status);

}  // namespace recmeter::rocksdb_state
