#include "file/stored_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

constexpr int stop_check_ms = 100;

std::string_view read_remedy(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: return "check the path; a pattern that matches no file arrives as it was typed";
    case EACCES:
    case EPERM: return "make it readable (chmod +r), or run as a user who may read it";
    case EMFILE:
    case ENFILE: return "allow more open files (ulimit -n)";
    case ELOOP: return "its symbolic links lead in a circle";
    case ENXIO: return "nothing is behind this socket or device";
    case EBADF: return "redirect or pipe a log into the program";
    default: return "check the disk or the network mount, and try again";
  }
}

tl::unexpected<Error> cannot(std::string_view what, int error, const std::string& name, std::uint64_t offset) {
  const Errc code = error == ENOENT || error == ENOTDIR ? Errc::input_missing : Errc::input_unreadable;
  std::string place = name;
  if (offset > 0) place += fmt::format(", byte {}", offset);
  return failure(code, fmt::format("cannot {} the input: {}; {}: {}", what, std::generic_category().message(error),
                                   read_remedy(error), place));
}

}  // namespace

StoredFile::StoredFile(std::string path, const std::atomic<bool>* stop)
    : path_(std::move(path)), name_(path_ == "-" ? "stdin" : path_), stop_(stop) {}

StoredFile::StoredFile(StoredFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      stop_(other.stop_),
      is_regular_(other.is_regular_),
      size_(other.size_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(other.identity_),
      offset_(other.offset_),
      peeked_(std::move(other.peeked_)) {}

StoredFile::~StoredFile() {
  close();
}

Result<StoredFile> StoredFile::open(const std::string& path, const std::atomic<bool>* stop) {
  StoredFile file(path, stop);
  if (auto opened = file.open_descriptor(); !opened) return tl::unexpected(opened.error());
  return file;
}

Result<void> StoredFile::open_descriptor() {
  if (path_ == "-") {
    descriptor_ = STDIN_FILENO;
    return identify();
  }
  do {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0 && errno == EINTR && stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {  // a FIFO
      return failure(Errc::interrupted, fmt::format("stopped while opening the input: {}", name_));
    }
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) return cannot("open", errno, name_, 0);
  return identify();
}

Result<void> StoredFile::identify() {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    descriptor_ = -1;
    return cannot("open", error, name_, 0);
  }
  if (S_ISDIR(status.st_mode)) {
    close();
    return failure(Errc::input_unreadable,
                   fmt::format("the input is a directory; name the files in it, such as {0}/*.jsonl: {0}", name_));
  }
  const std::pair identity{status.st_dev, status.st_ino};
  if (identity_ && *identity_ != identity) {
    close();
    return failure(Errc::input_unreadable, fmt::format("another file has taken the place of the input since reading began; "
                                                       "read files that are no longer rotated: {}",
                                                       name_));
  }
  if (identity_) return {};
  identity_ = identity;
  is_regular_ = S_ISREG(status.st_mode);
  if (!is_regular_) return {};
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);  // only advice: its failure changes nothing
  const off_t position = path_ == "-" ? std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_CUR)) : 0;
  size_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - position));
  return {};
}

void StoredFile::close() {
  if (descriptor_ > STDIN_FILENO || (descriptor_ == STDIN_FILENO && path_ != "-")) ::close(descriptor_);
  descriptor_ = -1;
  offset_ -= peeked_.size();
  peeked_ = {};
}

Result<void> StoredFile::open_at(std::uint64_t offset) {
  RECMETER_CHECK(is_reopenable(), "only a file with a path can be opened again");
  close();
  offset_ = offset;
  return open_descriptor();
}

Result<void> StoredFile::wait_readable() const {
  while (true) {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, fmt::format("stopped while waiting for the input: {}", name_));
    }
    pollfd waiting{descriptor_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, stop_ == nullptr ? -1 : stop_check_ms);
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return cannot("wait for", errno, name_, offset_);
  }
}

Result<std::size_t> StoredFile::read_descriptor(char* into, std::size_t capacity) {
  const bool positioned = is_reopenable();  // standard input shares its position with others: plain reads keep it true
  if (!is_regular_ && stop_ != nullptr) {
    if (auto ready = wait_readable(); !ready) return tl::unexpected(ready.error());
  }
  while (true) {
    const ssize_t got =
        positioned ? ::pread(descriptor_, into, capacity, static_cast<off_t>(offset_)) : ::read(descriptor_, into, capacity);
    if (got > 0) {
      offset_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (got == 0) {
      if (offset_ >= size_) return std::size_t{0};
      return failure(Errc::input_unreadable,
                     fmt::format("the input became shorter while it was read, {} bytes of {} are left; copy files that are "
                                 "rotated or rewritten, and read the copy: {}",
                                 offset_, size_, name_));
    }
    if (errno == EAGAIN) {
      if (auto ready = wait_readable(); !ready) return tl::unexpected(ready.error());
    } else if (errno != EINTR) {
      return cannot("read", errno, name_, offset_);
    } else if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, fmt::format("stopped while reading the input: {}", name_));
    }
  }
}

Result<std::size_t> StoredFile::read(char* into, std::size_t capacity) {
  if (!peeked_.empty()) {
    const std::size_t given = std::min(capacity, peeked_.size());
    std::memcpy(into, peeked_.data(), given);
    peeked_.erase(0, given);
    return given;
  }
  return read_descriptor(into, capacity);
}

Result<std::string_view> StoredFile::peek(std::size_t count) {
  while (peeked_.size() < count) {
    const std::size_t have = peeked_.size();
    peeked_.resize(count);
    auto got = read_descriptor(peeked_.data() + have, count - have);
    peeked_.resize(have + got.value_or(0));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
  }
  return std::string_view(peeked_);
}

}  // namespace recmeter::file
