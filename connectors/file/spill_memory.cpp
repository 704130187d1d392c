#include "recmeter/file/spill_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <string_view>
#include <system_error>

#include "file/nameless_file.h"
#include "recmeter/base/check.h"

namespace recmeter::file {

namespace {

constexpr std::uint64_t address_space = std::uint64_t{1} << 38;  // reserved, not used: 256 GiB
constexpr std::uint64_t page = 4096;

std::uint64_t in_pages(std::uint64_t bytes) {
  return (bytes + page - 1) / page * page;
}

tl::unexpected<Error> failed(std::string_view what, const std::string& directory, int error) {
  return failure(Errc::output_failed, fmt::format("cannot {} a file for cold state in {} ({})", what, directory,
                                                  std::generic_category().message(error)));
}

}  // namespace

Result<std::unique_ptr<SpillMemory>> SpillMemory::create(const std::string& directory, std::uint64_t share) {
  const int file = make_nameless_file(directory);
  if (file < 0) return failed("make", directory, errno);
  void* const base = mmap(nullptr, address_space, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (base == MAP_FAILED) {  // NOLINT: what mmap says
    const int error = errno;
    close(file);
    return failed("map", directory, error);
  }
  // Pages are used one here and one there.
  madvise(base, address_space, MADV_RANDOM);
  const int residency = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  return std::unique_ptr<SpillMemory>(new SpillMemory(file, residency, static_cast<std::byte*>(base), share));
}

SpillMemory::SpillMemory(int file, int residency, std::byte* base, std::uint64_t share)
    : file_(file), residency_(residency), base_(base), heap_share_(share / 2), file_share_(share - share / 2) {
  program_bytes_ = resident_file_bytes().value_or(0);
}

SpillMemory::~SpillMemory() {
  munmap(base_, address_space);
  if (residency_ >= 0) close(residency_);
  close(file_);
}

void* SpillMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes >= piece_min) {
    const std::scoped_lock lock(mutex_);
    if (in_heap_ + bytes > heap_share_) {
      if (std::byte* const extent = take_extent(in_pages(bytes))) return extent;
    }
    in_heap_ += bytes;
  }
  return std::pmr::new_delete_resource()->allocate(bytes, alignment);
}

void SpillMemory::do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) {
  if (bytes >= piece_min) {
    const std::scoped_lock lock(mutex_);
    if (is_mapped(piece)) {
      give_back_extent(static_cast<std::uint64_t>(static_cast<std::byte*>(piece) - base_), in_pages(bytes));
      return;
    }
    in_heap_ -= bytes;
  }
  std::pmr::new_delete_resource()->deallocate(piece, bytes, alignment);
}

bool SpillMemory::is_mapped(const void* piece) const {
  const auto* const at = static_cast<const std::byte*>(piece);
  return at >= base_ && at < base_ + address_space;
}

// The first hole that is large enough, so that the file stays short. Its blocks are claimed now: a page that cannot be
// written when it is touched would be a signal, not an error.
std::byte* SpillMemory::take_extent(std::uint64_t bytes) {
  auto hole = holes_.begin();
  while (hole != holes_.end() && hole->second < bytes) ++hole;
  const std::uint64_t offset = hole == holes_.end() ? end_ : hole->first;
  if (offset + bytes > address_space) return nullptr;
  if (posix_fallocate(file_, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0) return nullptr;
  if (hole == holes_.end()) {
    end_ += bytes;
  } else {
    const std::uint64_t rest = hole->second - bytes;
    holes_.erase(hole);
    if (rest > 0) holes_.emplace(offset + bytes, rest);
  }
  in_file_ += bytes;
  return base_ + offset;
}

// A hole at the end makes the file shorter. Where the file system cannot punch others the disk keeps their blocks until they
// are used again.
void SpillMemory::give_back_extent(std::uint64_t offset, std::uint64_t bytes) {
  in_file_ -= bytes;
  madvise(base_ + offset, bytes, MADV_REMOVE);
  auto after = holes_.lower_bound(offset);
  if (after != holes_.end() && offset + bytes == after->first) {
    bytes += after->second;
    after = holes_.erase(after);
  }
  if (after != holes_.begin()) {
    const auto before = std::prev(after);
    RECMETER_CHECK(before->first + before->second <= offset, "a piece is given back once");
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      holes_.erase(before);
    }
  }
  if (offset + bytes < end_) {
    holes_.emplace(offset, bytes);
  } else if (ftruncate(file_, static_cast<off_t>(offset)) == 0) {
    end_ = offset;
  } else {
    holes_.emplace(offset, bytes);
  }
}

// The file keeps what is dropped: its pages go on being cached by the system, or are written to the disk, as there is room.
void SpillMemory::trim() {
  std::uint64_t end = 0;
  {
    const std::scoped_lock lock(mutex_);
    end = end_;
  }
  if (end == 0) return;
  const auto resident = resident_file_bytes();
  if (resident && *resident <= program_bytes_ + file_share_) return;
  madvise(base_, end, MADV_DONTNEED);
  program_bytes_ = resident_file_bytes().value_or(0);
}

std::uint64_t SpillMemory::spilled_bytes() const {
  const std::scoped_lock lock(mutex_);
  return in_file_;
}

// The third number of /proc/self/statm, in pages.
std::optional<std::uint64_t> SpillMemory::resident_file_bytes() const {
  std::array<char, 128> text{};
  const ssize_t size = residency_ < 0 ? -1 : pread(residency_, text.data(), text.size(), 0);
  std::string_view rest(text.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  for (int field = 0; field < 2; ++field) {
    const std::size_t space = rest.find(' ');
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  std::uint64_t pages = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), pages);
  if (read.ec != std::errc()) return std::nullopt;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace recmeter::file
