#include "rocksdb/state_marker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "recmeter/rocksdb/state_directory.h"

namespace recmeter::rocksdb_state {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_word = "recmeter-state ";

fs::path marker_of(const std::string& directory) {
  return fs::path(directory) / "STATE";
}

tl::unexpected<Error> unusable(std::string context) {
  return failure(Errc::state_unusable, std::move(context));
}

// The beginning of the file, which is all there is; nothing when there is no such file.
std::optional<std::string> content_of(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::array<char, 256> bytes{};
  const ssize_t size = read(descriptor, bytes.data(), bytes.size());
  close(descriptor);
  return std::string(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

tl::unexpected<Error> cannot_write(const std::string& directory, const std::string& cause) {
  return unusable(
      fmt::format("cannot write to state.dir ({}); correct its permissions, or free some space: {}", cause, directory));
}

Result<void> write_marker(const fs::path& path, const std::string& directory) {
  const std::string line = fmt::format("{}{}\n", first_word, format_version);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool is_written = descriptor >= 0 && write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                    fsync(descriptor) == 0;
  const int cause = errno;
  if (descriptor >= 0) is_written = close(descriptor) == 0 && is_written;
  if (is_written) return {};
  return cannot_write(directory, std::generic_category().message(cause));
}

}  // namespace

Result<std::uint32_t> format_of(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) return 0;
  if (error)
    return unusable(fmt::format("cannot look at state.dir ({}); correct its permissions: {}", error.message(), directory));
  if (status.type() != fs::file_type::directory) {
    return unusable(fmt::format("state.dir is not a directory; name another: {}", directory));
  }
  const std::optional<std::string> content = content_of(marker_of(directory));
  if (!content) {
    // The state of another user has a marker that is not ours to read.
    if (errno != ENOENT) {
      return unusable(
          fmt::format("cannot read the file STATE ({}); correct its permissions, or run as the user who owns the state: {}",
                      std::generic_category().message(errno), directory));
    }
    const bool is_empty = fs::is_empty(directory, error);
    if (error)
      return unusable(fmt::format("cannot read state.dir ({}); correct its permissions: {}", error.message(), directory));
    if (is_empty) return 0;
    return unusable(
        fmt::format("state.dir holds files that are not recmeter's; name an empty or a new directory: {}", directory));
  }
  const std::string_view line = std::string_view(*content).substr(0, content->find('\n'));
  std::uint32_t version = 0;
  if (!line.starts_with(first_word)) {
    return unusable(fmt::format("state.dir has a file STATE that is not recmeter's; name another directory: {}", directory));
  }
  const char* const number = line.data() + first_word.size();
  const char* const end = line.data() + line.size();
  if (const auto [at, fault] = std::from_chars(number, end, version); fault != std::errc{} || at != end || version == 0) {
    return unusable(
        fmt::format("the file STATE is damaged; restore the directory, or move it away and start again: {}", directory));
  }
  if (version > format_version) {
    return unusable(
        fmt::format("the state has format {}, and this recmeter knows up to {}; use the recmeter that wrote it: {}", version,
                    format_version, directory));
  }
  return version;
}

Result<void> make_marker(const std::string& directory) {
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return unusable(fmt::format("cannot create state.dir ({}); create its parent directory, or correct its permissions: {}",
                                std::generic_category().message(errno), directory));
  }
  return write_marker(marker_of(directory), directory);
}

// The new one takes the old one's place whole.
Result<void> raise_marker(const std::string& directory) {
  const fs::path made = marker_of(directory).concat(".new");
  std::error_code error;
  fs::remove(made, error);  // of a run that was killed here
  if (auto written = write_marker(made, directory); !written) return written;
  fs::rename(made, marker_of(directory), error);
  return error ? cannot_write(directory, error.message()) : Result<void>();
}

}  // namespace recmeter::rocksdb_state
