#include "recmeter/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "file/scratch_file.h"
#include "recmeter/base/check.h"
#include "recmeter/base/read_number.h"

namespace recmeter::file {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr int name_attempts = 100;
constexpr std::string_view standard_output = "/dev/stdout";

std::string_view write_remedy(int error) {
  switch (error) {
    case ENOSPC: return "free some space or write elsewhere";
    case EDQUOT: return "your quota is used up: free some space or write elsewhere";
    case EFBIG: return "raise the limit of file sizes (ulimit -f) or write elsewhere";
    case EROFS:
    case EACCES:
    case EPERM: return "write to a directory you may write to";
    case ENOENT:
    case ENOTDIR: return "create the directory first (mkdir -p)";
    case EISDIR: return "name a file, not a directory";
    case ENAMETOOLONG: return "choose a shorter name";
    case EBUSY: return "a mounted file cannot be replaced: mount its directory instead";
    case EMFILE:
    case ENFILE: return "allow more open files (ulimit -n)";
    case EPIPE: return "the reader of the pipe has gone";
    default: return "check the disk, or write elsewhere";
  }
}

tl::unexpected<Error> cannot(std::string_view what, int error, const std::string& path) {
  return failure(Errc::output_failed, fmt::format("cannot {} the output: {}; {}: {}", what,
                                                  std::generic_category().message(error), write_remedy(error), path));
}

// The descriptor that a path such as /dev/stdout stands for. Opening the path instead would begin a redirected file anew.
std::optional<int> descriptor_of(std::string_view path) {
  if (path == standard_output) return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    const auto number = read_number<int>(path.substr(prefix.size()));
    if (number && *number >= 0) return number;
  }
  return std::nullopt;
}

std::string self_path(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
  std::unique_ptr<AtomicFile> file(new AtomicFile(path));
  if (const auto descriptor = descriptor_of(path)) {
    file->direct_ = true;
    file->descriptor_ = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (file->descriptor_ < 0) return cannot("open", errno, path);
    return file;
  }
  auto direct = file->open_existing();
  if (!direct) return tl::unexpected(direct.error());
  if (!*direct) {
    if (auto opened = file->open_beside(); !opened) return tl::unexpected(opened.error());
  }
  return file;
}

// True: what stands under the name is written directly. Otherwise it may be replaced.
Result<bool> AtomicFile::open_existing() {
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) return cannot("open", errno, path_);
    if (path_.empty() || path_.back() == '/') return cannot("open", EISDIR, path_);
    if (::lstat(path_.c_str(), &status) == 0) {
      return failure(Errc::output_failed,
                     fmt::format("the output is a symbolic link to nothing; create its target or remove it: {}", path_));
    }
    return false;
  }
  if (S_ISDIR(status.st_mode)) return cannot("open", EISDIR, path_);
  if (S_ISREG(status.st_mode)) {
    if (::access(path_.c_str(), W_OK) != 0) {
      return failure(Errc::output_failed, fmt::format("the output exists and is write-protected; remove it or write "
                                                      "elsewhere: {}",
                                                      path_));
    }
    std::error_code error;
    target_ = std::filesystem::canonical(path_, error).string();
    if (error) return cannot("open", error.value(), path_);
    return false;
  }
  direct_ = true;
  do descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) return cannot("open", errno, path_);
  return true;
}

Result<void> AtomicFile::open_beside() {
  directory_ = std::filesystem::path(target_).parent_path().string();
  if (directory_.empty()) directory_.push_back('.');
  descriptor_ = ::open(directory_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    // What other file systems answer; old kernels say EISDIR.
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) return open_named();
    return cannot("create", errno, path_);
  }
  // Without /proc a nameless file could not be given a name.
  if (::access(self_path(descriptor_).c_str(), F_OK) == 0) return {};
  ::close(descriptor_);
  descriptor_ = -1;
  return open_named();
}

std::string AtomicFile::beside_name() {
  static std::atomic<unsigned> serial{0};
  return fmt::format("{}/.recmeter-{}-{}.tmp", directory_, ::getpid(), serial.fetch_add(1));
}

Result<void> AtomicFile::open_named() {
  for (int attempt = 0; attempt < name_attempts; ++attempt) {
    const std::string name = beside_name();
    descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      beside_ = name;
      return {};
    }
    if (errno != EEXIST) return cannot("create", errno, path_);
  }
  return cannot("create", EEXIST, path_);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
  RECMETER_CHECK(!committed_, "a committed file takes no more");
  buffer_.append(bytes);
  settled_ = false;
  return buffer_.size() < buffer_bytes ? Result<void>{} : flush();
}

Result<void> AtomicFile::hold_back() {
  if (!direct_) return {};
  auto held = ScratchFile::create(
      "this output is held back until the run is complete: write to a file (--output), set TMPDIR to a directory with space, "
      "or stream it with --sort never");
  if (!held) return tl::unexpected(std::move(held).error());
  held_ = std::move(*held);
  return {};
}

Result<void> AtomicFile::release() {
  const std::shared_ptr<ScratchFile> held = std::exchange(held_, nullptr);
  std::vector<char> block;
  for (std::uint64_t at = 0; at < held->size(); at += block.size()) {
    block.resize(std::min<std::uint64_t>(buffer_bytes, held->size() - at));
    if (auto read = held->read(at, block); !read) return read;
    if (auto written = write_to(descriptor_, {block.data(), block.size()}); !written) return written;
  }
  return {};
}

Result<void> AtomicFile::flush() {
  Result<void> written;
  if (held_) {
    if (auto offset = held_->append(buffer_); !offset) written = tl::unexpected(std::move(offset).error());
  } else {
    written = write_to(descriptor_, buffer_);
  }
  if (written) buffer_.clear();
  return written;
}

Result<void> AtomicFile::write_to(int descriptor, std::string_view left) {
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE && path_ == standard_output) {
      if (!drops_unread_) return failure(Errc::interrupted, {});
      break;
    } else if (errno != EINTR) {
      return cannot("write", errno, path_);
    }
  }
  return {};
}

Result<void> AtomicFile::settle() {
  RECMETER_CHECK(!committed_, "a committed file is settled");
  if (auto flushed = flush(); !flushed) return flushed;
  if (held_) return release();
  if (direct_ || settled_) return {};
  // Without this a power failure could leave the new name with nothing in it.
  if (::fsync(descriptor_) != 0) return cannot("write", errno, path_);
  settled_ = true;
  return {};
}

Result<void> AtomicFile::commit() {
  RECMETER_CHECK(!committed_, "a file is committed once");
  if (auto settled = settle(); !settled) return settled;
  if (!direct_) {
    if (auto named = give_name(); !named) return named;
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) return cannot("close", errno, path_);
  committed_ = true;
  return {};
}

Result<void> AtomicFile::give_name() {
  if (beside_.empty()) {
    // The first link tried is the name itself: if nothing stands there, there is never a second name.
    const std::string self = self_path(descriptor_);
    std::string name = target_;
    for (int attempt = 0; ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0; ++attempt) {
      if (errno != EEXIST || attempt == name_attempts) return cannot("name", errno, path_);
      name = beside_name();
    }
    if (name != target_) beside_ = name;
  }
  if (!beside_.empty() && ::rename(beside_.c_str(), target_.c_str()) != 0) return cannot("replace", errno, path_);
  beside_.clear();
  // The name itself, too, survives a power failure; where directories cannot be synchronised nothing is lost by trying.
  const int directory = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
  return {};
}

}  // namespace recmeter::file
