#include "app/generate/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace recmeter::generate {

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::string_view standard_output = "standard output";  // as messages name it

std::string partial(const std::string& path) {
  return path + ".partial";
}

bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-";
}

tl::unexpected<Error> output_failure(const std::string& path, int code) {
  std::string_view remedy = "choose another --output";
  if (code == ENOSPC || code == EDQUOT) remedy = "free some space or choose another --output";
  if (code == EPIPE && path == standard_output) return failure(Errc::interrupted, {});  // app/told.h, reader_gone
  return failure(Errc::output_failed, fmt::format("cannot write {}: {}; {}", path, std::strerror(code), remedy));
}

Result<void> write_all(int descriptor, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return output_failure(path, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// "2023-11-14T05" of an hour since the epoch.
std::string hour_name(std::int64_t hour) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(hour / 24))};
  return fmt::format("{:04}-{:02}-{:02}T{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), hour % 24);
}

}  // namespace

OutputFiles::OutputFiles(OutputPlace place) : place_(std::move(place)) {}

OutputFiles::~OutputFiles() {
  for (const File& file : open_) {
    if (file.descriptor >= 0 && file.descriptor != STDOUT_FILENO) ::close(file.descriptor);
    if (file.renamed) ::unlink(partial(file.path).c_str());
  }
  for (const std::string& path : written_) ::unlink(partial(path).c_str());
}

Result<void> OutputFiles::write(std::uint32_t index, EventTime /*place*/, std::string_view record) {
  auto found = file(index);
  if (!found) return tl::unexpected(found.error());
  File& out = **found;
  if (out.used + record.size() + 1 > out.buffer.size()) {
    if (auto flushed = flush(out); !flushed) return flushed;
    if (record.size() + 1 > out.buffer.size()) out.buffer.resize(record.size() + 1);
  }
  std::memcpy(out.buffer.data() + out.used, record.data(), record.size());
  out.used += record.size();
  out.buffer[out.used++] = '\n';
  return {};
}

Result<void> OutputFiles::finish() {
  // A run without any record still leaves its file.
  if (place_.split == Split::none && open_.empty()) {
    if (auto made = file(0); !made) return tl::unexpected(made.error());
  }
  while (!open_.empty()) {
    if (auto closed = close(open_.back()); !closed) return closed;
    open_.pop_back();
  }
  while (!written_.empty()) {
    const std::string& path = written_.back();
    if (std::rename(partial(path).c_str(), path.c_str()) != 0) return output_failure(path, errno);
    written_.pop_back();
  }
  return {};
}

Result<OutputFiles::File*> OutputFiles::file(std::uint32_t index) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const File& f) { return f.index == index; });
  if (found != open_.end()) return &*found;
  if (place_.split == Split::hour && !open_.empty()) {
    if (auto closed = close(open_.back()); !closed) return tl::unexpected(closed.error());
    open_.pop_back();
  }
  File fresh;
  fresh.index = index;
  if (auto opened = open(fresh); !opened) return tl::unexpected(opened.error());
  fresh.buffer.resize(buffer_bytes);
  open_.push_back(std::move(fresh));
  return &open_.back();
}

std::string OutputFiles::path_of(std::uint32_t index) const {
  if (place_.split == Split::none) return place_.path;
  if (place_.split == Split::kind) return place_.path + (index == 0 ? "/impressions.jsonl" : "/feedback.jsonl");
  return place_.path + "/" + hour_name(place_.start.ms / one_hour.ms + index) + ".jsonl";
}

Result<void> OutputFiles::open(File& file) const {
  if (is_standard_output(place_.path)) {
    file.path = standard_output;
    file.renamed = false;
    file.descriptor = STDOUT_FILENO;
    return {};
  }
  if (place_.split != Split::none) {
    std::error_code error;
    std::filesystem::create_directories(place_.path, error);
    if (error) return output_failure(place_.path, error.value());
  }
  file.path = path_of(file.index);
  struct stat status{};
  if (::stat(file.path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return output_failure(file.path, EISDIR);
    file.renamed = S_ISREG(status.st_mode);
  }
  const std::string target = file.renamed ? partial(file.path) : file.path;
  file.descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.descriptor < 0 && errno == EINTR && is_interrupted()) {  // a FIFO that nobody reads
    return failure(Errc::interrupted, fmt::format("interrupted; nothing was written to {}", file.path));
  }
  if (file.descriptor < 0) return output_failure(file.path, errno);
  return {};
}

bool OutputFiles::is_interrupted() const {
  return place_.interrupted != nullptr && place_.interrupted->load(std::memory_order_relaxed);
}

Result<void> OutputFiles::flush(File& file) const {
  if (is_interrupted()) {
    return failure(Errc::interrupted,
                   fmt::format("interrupted; {} is not complete{}", file.path, file.renamed ? " and was removed" : ""));
  }
  auto written = write_all(file.descriptor, file.path, {file.buffer.data(), file.used});
  file.used = 0;
  return written;
}

Result<void> OutputFiles::close(File& file) {
  if (auto flushed = flush(file); !flushed) return flushed;
  const int descriptor = std::exchange(file.descriptor, -1);
  if (descriptor != STDOUT_FILENO && ::close(descriptor) != 0) return output_failure(file.path, errno);
  if (std::exchange(file.renamed, false)) written_.push_back(file.path);
  return {};
}

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  OutputFiles files({path, Split::none, {}, nullptr});
  // A record gets its line feed from the sink.
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (auto written = files.write(0, {}, text); !written) return written;
  return files.finish();
}

}  // namespace recmeter::generate
