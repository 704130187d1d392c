#include "recmeter/file/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "file/rotated_names.h"
#include "file/same_file.h"
#include "recmeter/base/byte_code.h"

namespace recmeter::file {

namespace {

// Where the next row goes.
struct Place {
  std::uint64_t row = 0;              // its number
  std::uint64_t length = 0;           // of the file at `path`
  EventTime period = minus_infinity;  // of that file; of one that had no row yet, none
  std::string label = {};
};

// A symbolic link stays, its target is rotated.
std::string without_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

class RowFile final : public RowPublisher {
 public:
  RowFile(const std::string& path, RowFileOptions options)
      : path_(without_links(path)),
        rotate_(options.rotate),
        wants_provisional_(options.provisional),
        setting_(std::move(options.setting)),
        names_(path_) {}
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Result<void> go_on_from(std::string_view position) override;
  Result<void> publish(const NumberedRow& row) override;
  bool wants_provisional() const override { return wants_provisional_; }
  Result<void> publish_provisional(std::string_view key, std::string_view value) override;
  Result<std::uint64_t> published() override;
  Result<void> reopen() override;
  std::string position() const override;

 private:
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, int error) const;
  Result<void> take_back();
  Result<void> open_at(bool is_first);
  Result<void> enter_period(EventTime period);
  Result<void> rotate();
  Result<void> settle();
  Result<void> append_line(std::string_view value);

  std::string path_;
  Duration rotate_;
  bool wants_provisional_;
  std::string setting_;
  RotatedNames names_;
  int descriptor_ = -1;
  Place next_;
  Place safe_;                       // what is synced
  std::vector<std::string> closed_;  // labels of files that are closed, and not called so yet
  mutable std::string saved_label_;  // of the position that the state has when it calls publish() or published()
};

tl::unexpected<Error> RowFile::failed(std::string_view what, int error) const {
  return failure(Errc::output_failed, fmt::format("cannot {} {} ({}); free some space, or correct its permissions: {}", what,
                                                  setting_, std::generic_category().message(error), path_));
}

Result<void> RowFile::go_on_from(std::string_view position) {
  ByteReader from(position);
  if (!position.empty()) {
    next_.row = from.number();
    next_.length = from.number();
    next_.period = EventTime{from.signed_number()};
    next_.label = from.text();
    saved_label_ = next_.label;
    if (auto done = take_back(); !done) return done;
  }
  if (auto done = open_at(position.empty()); !done) return done;
  safe_ = next_;
  return {};
}

// Files are as they were at the position, but for what is to be cut off: later periods are undone, earlier ones are settled.
Result<void> RowFile::take_back() {
  for (const std::string& label : names_.open_labels()) {
    const std::string name = names_.open(label);
    int code = 0;
    if (label > next_.label) {
      code = std::remove(name.c_str());
    } else if (label == next_.label) {
      code = std::rename(name.c_str(), path_.c_str());
    } else {
      closed_.push_back(label);
    }
    if (code != 0) return failed("take back what came after the state of", errno);
  }
  return settle();
}

Result<void> RowFile::open_at(bool is_first) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return failed("open", errno);
  const off_t there = lseek(descriptor_, 0, SEEK_END);
  if (there < 0) return failed("read", errno);
  if (is_first && there > 0) {
    return failure(
        Errc::state_unusable,
        fmt::format(
            "{} {} holds rows that this state did not write; move the file away, or continue with the state that wrote them",
            setting_, path_));
  }
  if (static_cast<std::uint64_t>(there) < next_.length) {
    return failure(Errc::output_failed,
                   fmt::format("{} is shorter than what was written ({} bytes of {}); put it back, or name another file and "
                               "state: {}",
                               setting_, there, next_.length, path_));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(next_.length)) != 0) return failed("cut", errno);
  return {};
}

Result<void> RowFile::publish(const NumberedRow& row) {
  if (auto done = settle(); !done) return done;
  if (row.number < next_.row) return {};  // it is there
  if (auto done = enter_period(EventTime{row.final_at.ms / rotate_.ms * rotate_.ms}); !done) return done;
  if (auto done = append_line(row.value); !done) return done;
  next_.row = row.number + 1;
  return {};
}

// Beside final rows, in their file: not synced, and cut off by the run after one that was killed.
Result<void> RowFile::publish_provisional(std::string_view /*key*/, std::string_view value) {
  return append_line(value);
}

Result<void> RowFile::append_line(std::string_view value) {
  const std::string line = std::string(value) + "\n";
  std::string_view rest = line;
  std::uint64_t at = next_.length;
  while (!rest.empty()) {
    const ssize_t written = pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write to", errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  next_.length = at;
  return {};
}

// Of periods of another length, before a restart, one may end later than this begins. A file that had only provisional rows
// belongs to no period yet.
Result<void> RowFile::enter_period(EventTime period) {
  if (period <= next_.period) return {};
  if (next_.length > 0 && next_.period != minus_infinity) {
    if (auto done = rotate(); !done) return done;
  }
  next_.period = period;
  next_.label = period_label(period, rotate_);
  safe_ = next_;
  return {};
}

Result<void> RowFile::rotate() {
  if (fdatasync(descriptor_) != 0) return failed("write to", errno);
  for (const std::string& name : {names_.closed(next_.label), names_.open(next_.label)}) {
    if (access(name.c_str(), F_OK) != 0) continue;
    return failure(
        Errc::output_failed,
        fmt::format("publish.file: the name that the rows until now would get is taken; move that file away: {}", name));
  }
  if (std::rename(path_.c_str(), names_.open(next_.label).c_str()) != 0) return failed("rename", errno);
  close(descriptor_);
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return failed("open", errno);
  names_.sync();
  closed_.push_back(next_.label);
  next_.length = 0;
  return {};
}

// What the state's position lies behind is closed for good.
Result<void> RowFile::settle() {
  std::vector<std::string> waiting;
  for (std::string& label : closed_) {
    if (label >= saved_label_) {
      waiting.push_back(std::move(label));
    } else if (std::rename(names_.open(label).c_str(), names_.closed(label).c_str()) != 0) {
      return failed("rename a file that was closed beside", errno);
    }
  }
  closed_ = std::move(waiting);
  return {};
}

Result<std::uint64_t> RowFile::published() {
  if (auto done = settle(); !done) return tl::unexpected(std::move(done).error());
  if (safe_.row != next_.row) {
    if (fdatasync(descriptor_) != 0) return failed("write to", errno);
    safe_ = next_;
  }
  return safe_.row;
}

// The rows until now stay in the file that was moved away, and are synced there before the position says so.
Result<void> RowFile::reopen() {
  const int again = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (again < 0) return failed("open", errno);
  if (is_same_file(again, descriptor_)) {
    close(again);
    return {};
  }
  const off_t there = lseek(again, 0, SEEK_END);
  if (there < 0 || fdatasync(descriptor_) != 0) {
    auto why = failed(there < 0 ? "read" : "write to", errno);
    close(again);
    return why;
  }
  close(std::exchange(descriptor_, again));
  next_.length = static_cast<std::uint64_t>(there);
  safe_ = next_;
  return {};
}

std::string RowFile::position() const {
  saved_label_ = safe_.label;
  ByteWriter to;
  to.add(safe_.row);
  to.add(safe_.length);
  to.add_signed(safe_.period.ms);
  to.add_text(safe_.label);
  return to.take();
}

}  // namespace

std::unique_ptr<RowPublisher> row_file(const std::string& path, RowFileOptions options) {
  return std::make_unique<RowFile>(path, std::move(options));
}

}  // namespace recmeter::file
