#include "rocksdb/database_options.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <memory>

#include "recmeter/rocksdb/state_directory.h"

namespace recmeter::rocksdb_state {

// Most of what is written is a journal that is dropped from its front, block by block, and seldom read: few large files, no
// bloom filters, one thread to compact. Cache and buffers share `memory`.
rocksdb::Options database_options(const StoreOptions& options) {
  rocksdb::Options out;
  out.create_if_missing = options.create;
  out.db_host_id = "";  // a state does not tell on which machine it was written
  // Rows are text that repeats itself, written when it is flushed and by each merge after that: fast where it is written
  // once, tight where it is written again.
  out.compression_per_level = {rocksdb::kLZ4Compression, rocksdb::kZSTD};
  out.max_background_jobs = 2;
  out.max_open_files = 256;
  out.keep_log_file_num = 4;
  out.max_log_file_size = std::size_t{4} << 20;
  out.info_log_level = rocksdb::WARN_LEVEL;
  out.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  out.track_and_verify_wals_in_manifest = false;  // a bug of 7.8 reports missing logs that are not (rocksdb #10892)
  out.write_buffer_size = std::clamp<std::size_t>(options.memory / 4, std::size_t{1} << 20, std::size_t{32} << 20);
  // A level no larger than some of its merges: rows of a day come for all series in turns, so that each merge rewrites it.
  out.max_bytes_for_level_base = 16 * out.write_buffer_size;
  out.max_write_buffer_number = 2;
  out.target_file_size_base = out.write_buffer_size;
  const auto cache = rocksdb::NewLRUCache(options.memory);
  out.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(options.memory / 2, cache);
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = std::size_t{16} << 10;
  table.cache_index_and_filter_blocks = true;
  out.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return out;
}

namespace {

// What another attempt will not mend: bytes that are not what was written, files that are gone, or what this RocksDB cannot
// read.
bool is_damage(const rocksdb::Status& status) {
  return status.IsCorruption() || status.IsNotSupported() || status.IsPathNotFound();
}

tl::unexpected<Error> damaged(const std::string& directory, const rocksdb::Status& status) {
  return failure(Errc::state_unusable,
                 fmt::format("the state is damaged ({}); restore it, or move it away and start again: {}", status.ToString(),
                             directory));
}

}  // namespace

tl::unexpected<Error> unusable(const std::string& directory, const rocksdb::Status& status) {
  if (is_damage(status)) return damaged(directory, status);
  const std::string what = status.ToString();
  if (status.IsIOError() && what.find("lock") != std::string::npos) {
    return failure(Errc::state_in_use,
                   fmt::format("the state is in use by {}; stop that process, or name another state.dir: {}",
                               holder_of(directory).value_or("another process"), directory));
  }
  return failure(
      Errc::state_unusable,
      fmt::format("the state cannot be opened ({}); correct its permissions, or free some space: {}", what, directory));
}

tl::unexpected<Error> failed(const std::string& directory, const rocksdb::Status& status) {
  if (is_damage(status)) return damaged(directory, status);
  const std::string remedy = status.IsNoSpace() ? "make room" : "look at the disk";
  return failure(Errc::storage_failed, fmt::format("the state can no longer be used ({}); {}, then start again: {}",
                                                   status.ToString(), remedy, directory));
}

}  // namespace recmeter::rocksdb_state
