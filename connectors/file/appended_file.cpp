#include "file/appended_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "recmeter/event/join_key.h"

namespace recmeter::file {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t end_bytes = 1024;  // that tell a file from others

std::uint64_t hash_of(std::string_view bytes) {
  return hash_id(bytes);
}

std::string_view first_line_of(std::string_view text) {
  return text.substr(0, text.find('\n') + 1);
}

}  // namespace

void AppendedFile::Mark::write(ByteWriter& to) const {
  to.add(inode);
  to.add_fixed(first_line);
  to.add_fixed(end);
}

void AppendedFile::Mark::read(ByteReader& from) {
  inode = from.number();
  first_line = from.fixed();
  end = from.fixed();
}

AppendedFile::AppendedFile(std::string path, std::string setting, std::string content, mode_t mode)
    : path_(std::move(path)), setting_(std::move(setting)), content_(std::move(content)), mode_(mode) {}

AppendedFile::~AppendedFile() {
  close();
}

void AppendedFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

tl::unexpected<Error> AppendedFile::failed(std::string_view what, int error) const {
  return failure(Errc::output_failed, fmt::format("cannot {} {} ({}); free some space, or correct its permissions: {}", what,
                                                  setting_, std::generic_category().message(error), path_));
}

tl::unexpected<Error> AppendedFile::foreign() const {
  return failure(Errc::state_unusable,
                 fmt::format("{} {} holds {} that this state did not write; move the file away, or continue with the state "
                             "that wrote them",
                             setting_, path_, content_));
}

// Appending, so that nothing is left out where the file is cut between a look at it and a write.
int AppendedFile::open_at_path(int flags) {
  close();
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, mode_);
  struct stat status{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return errno;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  return 0;
}

std::optional<std::string> AppendedFile::bytes(int descriptor, std::uint64_t from, std::uint64_t to) const {
  std::string read(to - from, '\0');
  for (std::size_t at = 0; at < read.size();) {
    const ssize_t got = ::pread(descriptor, read.data() + at, read.size() - at, static_cast<off_t>(from + at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    at += static_cast<std::size_t>(got);
  }
  return read;
}

// Older states tell the length alone.
bool AppendedFile::is_as_marked(const Mark& mark, std::uint64_t size) const {
  if (size < mark.length) return false;
  if (mark.inode == 0) return true;
  if (mark.length == 0) return size == 0 || inode_ == mark.inode;
  const auto end = bytes(descriptor_, mark.length - std::min(mark.length, end_bytes), mark.length);
  return end && hash_of(*end) == mark.end;
}

bool AppendedFile::begins_as_marked(const Mark& mark, std::uint64_t size) const {
  if (mark.inode == 0 || size >= mark.length) return false;
  const auto some = bytes(descriptor_, 0, size);
  return some && some->find('\n') != std::string::npos && hash_of(first_line_of(*some)) == mark.first_line;
}

Result<void> AppendedFile::cut_to(std::uint64_t length) {
  if (::ftruncate(descriptor_, static_cast<off_t>(length)) != 0) return failed("cut", errno);
  length_ = length;
  const auto end = bytes(descriptor_, length - std::min(length, end_bytes), length);
  if (!end) return failed("read", errno);
  end_ = *end;
  first_line_ = 0;
  constexpr std::uint64_t piece = std::uint64_t{1} << 16;
  std::string first;
  for (std::uint64_t at = 0; at < length && first.find('\n') == std::string::npos; at += piece) {
    const auto more = bytes(descriptor_, at, std::min(length, at + piece));
    if (!more) return failed("read", errno);
    first += *more;
  }
  if (!first.empty()) first_line_ = hash_of(first_line_of(first));
  return {};
}

// No half of a line stays.
Result<AppendedFile::Found> AppendedFile::cut_to_lines(std::uint64_t size) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 16;
  std::uint64_t keep = 0;
  for (std::uint64_t to = size; to > 0 && keep == 0; to -= std::min(to, piece)) {
    const std::uint64_t from = to - std::min(to, piece);
    const auto some = bytes(descriptor_, from, to);
    if (!some) return failed("read", errno);
    keep = from + some->rfind('\n') + 1;
    if (some->rfind('\n') == std::string::npos) keep = 0;
  }
  if (auto done = cut_to(keep); !done) return tl::unexpected(std::move(done).error());
  return Found::cut;
}

Result<AppendedFile::Found> AppendedFile::begin_empty() {
  if (const int error = open_at_path(O_CREAT); error != 0) return failed("open", error);
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  if (size < 0) return failed("read", errno);
  if (size > 0) return foreign();
  if (auto done = cut_to(0); !done) return tl::unexpected(std::move(done).error());
  return Found::gone;
}

Result<AppendedFile::Found> AppendedFile::go_on_from(const std::optional<Mark>& mark) {
  if (const int error = open_at_path(mark ? 0 : O_CREAT); error != 0) {
    if (!mark || error != ENOENT) return failed("open", error);
    read_behind(*mark);
    return begin_empty();
  }
  const off_t there = ::lseek(descriptor_, 0, SEEK_END);
  if (there < 0) return failed("read", errno);
  const auto size = static_cast<std::uint64_t>(there);
  if (!mark && size > 0) return foreign();
  if (!mark || is_as_marked(*mark, size)) {
    if (mark && mark->length == 0) read_behind(*mark);
    if (auto done = cut_to(mark ? mark->length : 0); !done) return tl::unexpected(std::move(done).error());
    return Found::same;
  }
  if (size > 0 && !begins_as_marked(*mark, size)) return foreign();
  read_behind(*mark);
  if (size > 0) return cut_to_lines(size);
  auto begun = begin_empty();
  if (begun && inode_ == mark->inode) return Found::cut;
  return begun;
}

// Files are told by what they hold: copies, too, which is how a file is cut in place. Nothing is done to them. A file that
// had no line at the mark is told by its name: a line of another file is none that is to be written.
void AppendedFile::read_behind(const Mark& mark) {
  if (mark.inode == 0) return;
  const fs::path whole(path_);
  std::error_code error;
  const fs::path directory = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  for (fs::directory_iterator at(directory, error), none; !error && at != none; at.increment(error)) {
    std::error_code unknown;
    if (at->path().filename() == whole.filename()) continue;  // what it has is cut off
    if (!at->is_regular_file(unknown) || unknown || at->file_size(unknown) <= mark.length || unknown) continue;
    const int other = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC);
    if (other < 0) continue;
    struct stat status{};
    const bool is_known = ::fstat(other, &status) == 0;
    constexpr off_t named_max = off_t{64} << 20;
    const bool is_named =
        at->path().filename().string().starts_with(whole.filename().string()) && status.st_size <= named_max;
    bool is_it = is_known && mark.length == 0 && (status.st_ino == mark.inode || is_named);
    if (is_known && mark.length > 0) {
      const auto end = bytes(other, mark.length - std::min(mark.length, end_bytes), mark.length);
      is_it = end && hash_of(*end) == mark.end;
    }
    const auto rest = is_it ? bytes(other, mark.length, static_cast<std::uint64_t>(status.st_size)) : std::nullopt;
    ::close(other);
    if (!rest) continue;
    for (std::size_t from = 0, to = rest->find('\n'); to != std::string::npos; from = to + 1, to = rest->find('\n', from)) {
      behind_.emplace(rest->substr(from, to - from));
    }
  }
}

Result<AppendedFile::Found> AppendedFile::look() {
  struct stat status{};
  const int error = ::stat(path_.c_str(), &status) == 0 ? 0 : errno;
  if (error != 0 && error != ENOENT) return failed("find", error);
  if (error == ENOENT || status.st_ino != inode_ || status.st_dev != device_) {
    if (const int lost = sync(); lost != 0) return failed("write to", lost);
    return begin_empty();
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return size < length_ ? cut_to_lines(size) : Found::same;
}

AppendedFile::Appended AppendedFile::append(std::string_view lines) {
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      static_cast<void>(!::ftruncate(descriptor_, static_cast<off_t>(length_)));  // what is left is cut off by the next run
      return {.error = error};
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  const auto end = static_cast<std::uint64_t>(std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_CUR)));
  if (end < length_ + lines.size()) {
    if (::ftruncate(descriptor_, static_cast<off_t>(end - std::min<std::uint64_t>(end, lines.size()))) != 0)
      return {.error = errno};
    return {.was_cut = true};
  }
  if (length_ == 0) first_line_ = hash_of(first_line_of(lines));
  length_ = end;
  end_ += lines;
  if (end_.size() > end_bytes) end_.erase(0, end_.size() - end_bytes);
  return {};
}

int AppendedFile::sync() const {
  return ::fdatasync(descriptor_) == 0 ? 0 : errno;
}

int AppendedFile::take_back(std::uint64_t length, int error) {
  static_cast<void>(cut_to(length));
  return error;
}

int AppendedFile::begin_another() {
  if (const int error = open_at_path(O_CREAT | O_TRUNC); error != 0) return error;
  length_ = 0;
  first_line_ = 0;
  end_.clear();
  return 0;
}

AppendedFile::Mark AppendedFile::mark() const {
  return {.length = length_, .inode = inode_, .first_line = first_line_, .end = hash_of(end_)};
}

}  // namespace recmeter::file
