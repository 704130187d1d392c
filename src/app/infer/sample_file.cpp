#include "app/infer/sample_file.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "app/infer/log_sample.h"
#include "app/infer/row_form.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/file/open_file.h"

namespace recmeter {
namespace {

std::string_view first_line_of(std::string_view record) {
  return record.substr(0, record.find('\n'));
}

// The lines before the first record of rows, of which `before` stand there. Blank lines are not read; skipped lines are
// counted, so blank ones take their place.
Result<void> write_head(file::AtomicFile& to, const std::string& log, std::string_view first_record, std::uint64_t before,
                        const file::FileOptions& options) {
  auto lines = file::open_file(log, options);
  if (!lines) return tl::unexpected(std::move(lines).error());
  const auto start = (*lines)->read(file::container_bytes, {});
  if (!start) return tl::unexpected(start.error());
  std::string head;
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < start->records.size() && written < before; ++i) {
    if (start->record(i) == first_line_of(first_record)) break;
    head.append(start->record(i)).push_back('\n');
    ++written;
  }
  return to.write(std::string(before - written, '\n') + head);
}

Result<void> write_records(file::AtomicFile& to, const LogSample& sample, const std::atomic<bool>& stop) {
  const file::FileOptions options{.stop = &stop};
  file::ContainerForm form = container_form(sample.form);
  form.has_header = sample.has_header;
  auto opened = file::open_log(sample.file, form, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  const file::Container container = opened->found.container;
  if (container == file::Container::array || container == file::Container::avro) {
    return failure(Errc::output_failed,
                   "--sample writes logs of lines, and " + sample.file + " is " + sample.format + "; replay the log itself");
  }
  std::size_t left = sample_records_max;
  for (bool more = true, is_first = true; more && left > 0; is_first = false) {
    auto batch = opened->source->read(block_bytes, {});
    if (!batch) return tl::unexpected(std::move(batch).error());
    more = !batch->last;
    if (is_first && container == file::Container::rows && !batch->records.empty() && batch->first_line > 1) {
      auto done = write_head(to, sample.file, batch->record(0), batch->first_line - 1, options);
      if (!done) return done;
    }
    std::string text;
    const std::size_t count = std::min(batch->records.size(), left);
    for (std::size_t i = 0; i < count; ++i) text.append(batch->record(i)).push_back('\n');
    left -= count;
    if (auto done = to.write(text); !done) return done;
  }
  return {};
}

// Where the samples go, by log.
Result<std::vector<std::string>> targets_of(const std::vector<std::string>& logs, const std::string& path) {
  if (logs.size() == 1) return std::vector<std::string>{path};
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return failure(Errc::output_failed, "--sample of several logs is a directory: " + path + ": " + error.message());
  std::vector<std::string> targets;
  for (const std::string& log : logs) {
    const std::string target = (std::filesystem::path(path) / std::filesystem::path(log).filename()).string();
    if (std::ranges::find(targets, target) != targets.end()) {
      return failure(Errc::output_failed, "--sample would write two logs to " + target + "; give logs of different names");
    }
    targets.push_back(target);
  }
  return targets;
}

}  // namespace

Result<void> write_sample(const std::vector<std::string>& logs, const std::string& path, const std::atomic<bool>& stop) {
  const auto targets = targets_of(logs, path);
  if (!targets) return tl::unexpected(targets.error());
  for (std::size_t i = 0; i < logs.size(); ++i) {
    std::error_code error;
    if (std::filesystem::equivalent(logs[i], (*targets)[i], error)) {
      return failure(Errc::output_failed, "--sample would write over the log " + logs[i] + "; name another file");
    }
    const auto sample = read_log_sample(logs[i], stop);
    if (!sample) return tl::unexpected(sample.error());
    auto file = file::AtomicFile::create((*targets)[i]);
    if (!file) return tl::unexpected(std::move(file).error());
    if (auto done = write_records(**file, *sample, stop); !done) return done;
    if (auto done = (*file)->commit(); !done) return done;
  }
  return {};
}

}  // namespace recmeter
