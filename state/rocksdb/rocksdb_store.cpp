#include "rocksdb/rocksdb_store.h"

#include <fmt/format.h>
#include <rocksdb/convenience.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>

#include <utility>

#include "recmeter/rocksdb/state_directory.h"
#include "rocksdb/database_options.h"
#include "rocksdb/state_marker.h"

namespace recmeter::rocksdb_state {

namespace {

rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

Result<std::unique_ptr<StateStore>> open_store(const std::string& directory, const StoreOptions& options) {
  const auto format = format_of(directory);
  if (!format) return tl::unexpected(format.error());
  if (*format == 0) {
    if (!options.create || options.read_only) {
      return failure(Errc::state_unusable, fmt::format("there is no state; name the state.dir of an attach: {}", directory));
    }
    if (auto made = make_marker(directory); !made) return tl::unexpected(made.error());
  }
  const std::string path = directory + "/db";
  // RocksDB would let everybody read user ids. Where it cannot be made, opening says why.
  if (options.create && !options.read_only) static_cast<void>(mkdir(path.c_str(), 0700));
  rocksdb::DB* db = nullptr;
  const rocksdb::Options database = database_options(options);
  const rocksdb::Status status =
      options.read_only ? rocksdb::DB::OpenForReadOnly(database, path, &db) : rocksdb::DB::Open(database, path, &db);
  if (!status.ok()) return unusable(directory, status);
  if (*format != 0 && *format < format_version && !options.read_only) {
    if (auto raised = raise_marker(directory); !raised) {
      delete db;
      return tl::unexpected(raised.error());
    }
  }
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
  options.fill_cache = false;  // it reads ahead by itself, the more the further a scan goes: many scans look at one key only
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
  for (at->Seek(slice(from)); at->Valid(); at->Next()) {
    if (!visit({at->key().data(), at->key().size()}, {at->value().data(), at->value().size()})) return {};
  }
  if (!at->status().ok()) return failed(at->status());
  return {};
}

Result<void> RocksDbStore::condition() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return tl::unexpected(*failure_);
  return {};
}

tl::unexpected<Error> RocksDbStore::failed(const rocksdb::Status& status) const {
  auto why = rocksdb_state::failed(directory_, status);
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = why.value();
  return why;
}

}  // namespace recmeter::rocksdb_state
