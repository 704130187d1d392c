#include "rocksdb/rocksdb_store.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <utility>

#include "rocksdb/state_marker.h"

namespace recmeter::rocksdb_state {

namespace {

rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}

// Most of what is written is a journal that is dropped from its front, block by block, and seldom read: few large files, no
// bloom filters, one thread to compact. Cache and buffers share `memory`.
rocksdb::Options database_options(const StoreOptions& options) {
  rocksdb::Options out;
  out.create_if_missing = options.create;
  out.compression = rocksdb::kLZ4Compression;
  out.max_background_jobs = 2;
  out.max_open_files = 256;
  out.keep_log_file_num = 4;
  out.max_log_file_size = std::size_t{4} << 20;
  out.info_log_level = rocksdb::WARN_LEVEL;
  out.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  out.track_and_verify_wals_in_manifest = false;  // a bug of 7.8 reports missing logs that are not (rocksdb #10892)
  out.write_buffer_size = std::clamp<std::size_t>(options.memory / 4, std::size_t{1} << 20, std::size_t{32} << 20);
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

tl::unexpected<Error> unusable(const std::string& directory, const rocksdb::Status& status) {
  const std::string what = status.ToString();
  if (status.IsIOError() && what.find("lock") != std::string::npos) {
    return failure(
        Errc::state_unusable,
        fmt::format("the state is in use by another process; stop that one, or name another state.dir: {}", directory));
  }
  if (status.IsCorruption()) {
    return failure(Errc::state_unusable,
                   fmt::format("the state is damaged ({}); restore it, or move it away and start anew: {}", what, directory));
  }
  return failure(Errc::state_unusable,
                 fmt::format("the state cannot be opened ({}); correct its rights, or make room: {}", what, directory));
}

}  // namespace

Result<std::unique_ptr<StateStore>> open_store(const std::string& directory, const StoreOptions& options) {
  const auto marker = look_at_marker(directory);
  if (!marker) return tl::unexpected(marker.error());
  if (*marker == MarkerState::absent) {
    if (!options.create || options.read_only) {
      return failure(Errc::state_unusable, fmt::format("there is no state; name the state.dir of an attach: {}", directory));
    }
    if (auto made = make_marker(directory); !made) return tl::unexpected(made.error());
  }
  const std::string path = directory + "/db";
  rocksdb::DB* db = nullptr;
  const rocksdb::Options database = database_options(options);
  const rocksdb::Status status =
      options.read_only ? rocksdb::DB::OpenForReadOnly(database, path, &db) : rocksdb::DB::Open(database, path, &db);
  if (!status.ok()) return unusable(directory, status);
  return std::make_unique<RocksDbStore>(directory, std::unique_ptr<rocksdb::DB>(db));
}

Result<void> RocksDbStore::write(const StateBatch& batch, Durability durability) {
  using Kind = StateBatch::Change::Kind;
  rocksdb::WriteBatch changes;
  rocksdb::ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  for (const StateBatch::Change& change : batch.changes()) {
    rocksdb::Status added;
    switch (change.kind) {
      case Kind::put: added = changes.Put(family, change.key, change.value); break;
      case Kind::erase: added = changes.Delete(family, change.key); break;
      case Kind::erase_range:
        if (change.key < change.value) added = changes.DeleteRange(family, change.key, change.value);
        break;
    }
    if (!added.ok()) return failed(added);
  }
  rocksdb::WriteOptions options;
  options.sync = durability == Durability::machine;
  if (const rocksdb::Status status = db_->Write(options, &changes); !status.ok()) return failed(status);
  drop_whole_files(batch);
  return {};
}

// Space comes back at once where whole files hold nothing else; the rest is compaction's. That it did not work is no error.
void RocksDbStore::drop_whole_files(const StateBatch& batch) {
  for (const StateBatch::Change& change : batch.changes()) {
    if (change.kind != StateBatch::Change::Kind::erase_range || change.key >= change.value) continue;
    const rocksdb::Slice from = change.key;
    const rocksdb::Slice to = change.value;
    static_cast<void>(rocksdb::DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &from, &to, false));
  }
}

Result<std::optional<std::string>> RocksDbStore::get(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), slice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  if (!status.ok()) return failed(status);
  return std::optional(std::move(value));
}

Result<void> RocksDbStore::scan(std::string_view from, std::string_view to, const Visit& visit) const {
  rocksdb::ReadOptions options;
  const rocksdb::Slice end = slice(to);
  options.iterate_upper_bound = &end;
  options.readahead_size = std::size_t{2} << 20;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
  for (at->Seek(slice(from)); at->Valid(); at->Next()) {
    if (!visit({at->key().data(), at->key().size()}, {at->value().data(), at->value().size()})) return {};
  }
  if (!at->status().ok()) return failed(at->status());
  return {};
}

tl::unexpected<Error> RocksDbStore::failed(const rocksdb::Status& status) const {
  return failure(Errc::storage_failed,
                 fmt::format("the state cannot be used any more ({}); look at the disk, then start again: {}",
                             status.ToString(), directory_));
}

}  // namespace recmeter::rocksdb_state
