#include "recmeter/rocksdb/state_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "rocksdb/database_options.h"
#include "rocksdb/state_marker.h"

namespace recmeter::rocksdb_state {

namespace {

namespace fs = std::filesystem;

std::string name_of(pid_t process) {
  const int descriptor = open(fmt::format("/proc/{}/comm", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 64> bytes{};
  const ssize_t size = read(descriptor, bytes.data(), bytes.size());
  close(descriptor);
  std::string name(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

}  // namespace

// RocksDB locks the whole of this file by fcntl(), which tells by whom.
std::optional<std::string> holder_of(const std::string& directory) {
  const int descriptor = open((directory + "/db/LOCK").c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const int code = fcntl(descriptor, F_GETLK, &lock);
  close(descriptor);
  if (code != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  const std::string name = name_of(lock.l_pid);
  return fmt::format("process {}{}", lock.l_pid, name.empty() ? "" : " (" + name + ")");
}

std::uint64_t bytes_on_disk(const std::string& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), none; !error && at != none; at.increment(error)) {
    std::error_code vanished;
    if (!at->is_regular_file(vanished)) continue;
    const std::uint64_t size = at->file_size(vanished);
    if (!vanished) bytes += size;
  }
  return bytes;
}

Result<void> verify_files(const std::string& directory) {
  rocksdb::Options options = database_options({.create = false, .read_only = true});
  // A log that ends in the middle of a record is what a kill leaves; anything else is damage.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, directory + "/db", &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  if (status.ok()) status = db->VerifyChecksum(rocksdb::ReadOptions());
  if (status.ok()) return {};
  return unusable(directory, status);
}

}  // namespace recmeter::rocksdb_state
