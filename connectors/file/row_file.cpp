#include "recmeter/file/row_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "file/appended_file.h"
#include "file/rotated_names.h"
#include "recmeter/base/byte_code.h"

namespace recmeter::file {

namespace {

// Where the next row goes.
struct Place {
  std::uint64_t row = 0;              // its number
  AppendedFile::Mark file = {};       // of the file at `path`
  EventTime period = minus_infinity;  // of that file; of one that had no row yet, none
  std::string label = {};
  std::string last = {};  // the key of the last row
};

// A line not written yet, since the state does not know the file.
struct HeldLine {
  std::optional<NumberedRow> row;  // of a final one
  std::string value;
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
      : file_(without_links(path), options.setting, "rows", 0644),
        rotate_(options.rotate),
        wants_provisional_(options.provisional),
        setting_(std::move(options.setting)),
        tell_lost_(std::move(options.lost)),
        names_(file_.path()) {}

  Result<void> go_on_from(std::string_view position) override;
  bool is_full() const override { return awaits_state_; }
  bool awaits_state() const override { return awaits_state_; }
  bool can_be_taken_away() const override { return true; }
  Result<void> publish(const NumberedRow& row) override;
  bool wants_provisional() const override { return wants_provisional_; }
  Result<void> publish_provisional(std::string_view key, std::string_view value) override;
  Result<std::uint64_t> published() override;
  Result<void> reopen() override;
  std::string position() const override;

 private:
  Result<void> take_back();
  Result<void> look();
  Result<void> take(HeldLine&& line);
  Result<bool> write(const HeldLine& line);
  Result<void> enter_period(EventTime period);
  Result<void> rotate();
  Result<void> settle();
  void begin_another();
  void lose(AppendedFile::Found found);

  AppendedFile file_;
  Duration rotate_;
  bool wants_provisional_;
  std::string setting_;
  TellLost tell_lost_;
  RotatedNames names_;
  Place next_;
  Place safe_;                       // what is synced
  std::vector<std::string> closed_;  // labels of files that are closed, and not called so yet
  // Another file has taken the place of one that was lost: rows go there once the state knows it, or the next run could not
  // tell it from somebody else's. `state_knows_`: it does, when publish() or published() is called again.
  bool awaits_state_ = false;
  std::deque<HeldLine> held_;
  mutable bool state_knows_ = false;
  mutable std::string saved_label_;  // of the position that the state has when it calls publish() or published()
};

Result<void> RowFile::go_on_from(std::string_view position) {
  ByteReader from(position);
  if (!position.empty()) {
    next_.row = from.number();
    next_.file.length = from.number();
    next_.period = EventTime{from.signed_number()};
    next_.label = from.text();
    if (from.left() > 0) {
      next_.file.read(from);
      next_.last = from.text();
    }
    saved_label_ = next_.label;
    if (auto done = take_back(); !done) return done;
  }
  const auto found = file_.go_on_from(position.empty() ? std::nullopt : std::optional(next_.file));
  if (!found) return tl::unexpected(found.error());
  next_.file = file_.mark();
  safe_ = next_;
  if (*found != AppendedFile::Found::same) lose(*found);
  return {};
}

// Files are as they were at the position, but for what is to be cut off: later periods are undone, earlier ones are settled.
// A file that had no period yet got the first.
Result<void> RowFile::take_back() {
  const std::vector<std::string> labels = names_.open_labels();
  for (const std::string& label : labels) {
    const std::string name = names_.open(label);
    const bool is_it = label == next_.label || (next_.label.empty() && label == labels.front());
    int code = 0;
    if (label > next_.label && !is_it) {
      code = std::remove(name.c_str());
    } else if (is_it) {
      code = std::rename(name.c_str(), file_.path().c_str());
    } else {
      closed_.push_back(label);
    }
    if (code != 0) return file_.failed("take back what came after the state of", errno);
  }
  return settle();
}

// Rows written up to here stay written, wherever they are.
void RowFile::begin_another() {
  next_.file = file_.mark();
  safe_ = next_;
  awaits_state_ = true;
  state_knows_ = false;
}

void RowFile::lose(AppendedFile::Found found) {
  begin_another();
  if (!tell_lost_) return;
  const bool has_rows = next_.row > 0;
  tell_lost_({.setting = setting_,
              .sentence = fmt::format("{} was {}: {}; {}; the next row goes to the file that is there now", setting_,
                                      found == AppendedFile::Found::cut ? "cut" : "moved or deleted", file_.path(),
                                      has_rows ? fmt::format("its last row is number {}{}{}", next_.row - 1,
                                                             next_.last.empty() ? "" : ", ", next_.last)
                                               : "it had no final row"),
              .last_row = has_rows ? std::optional(next_.row - 1) : std::nullopt});
}

Result<void> RowFile::look() {
  if (awaits_state_ && !std::exchange(state_knows_, false)) return {};
  awaits_state_ = false;
  const auto found = file_.look();
  if (!found) return tl::unexpected(found.error());
  if (*found != AppendedFile::Found::same) lose(*found);
  while (!awaits_state_ && !held_.empty()) {
    const auto written = write(held_.front());
    if (!written) return tl::unexpected(written.error());
    if (*written) held_.pop_front();
  }
  return {};
}

Result<void> RowFile::take(HeldLine&& line) {
  if (auto done = look(); !done) return done;
  const auto written = awaits_state_ ? false : write(line);
  if (!written) return tl::unexpected(written.error());
  if (!*written) held_.push_back(std::move(line));
  return {};
}

// Says whether it did; the file may have been cut under it.
Result<bool> RowFile::write(const HeldLine& line) {
  if (line.row) {
    if (auto done = enter_period(EventTime{line.row->final_at.ms / rotate_.ms * rotate_.ms}); !done) {
      return tl::unexpected(std::move(done).error());
    }
  }
  const auto appended = file_.append(line.value + "\n");
  if (appended.error != 0) return file_.failed("write to", appended.error);
  if (appended.was_cut) {
    const auto found = file_.look();
    if (!found) return tl::unexpected(found.error());
    lose(*found == AppendedFile::Found::same ? AppendedFile::Found::cut : *found);
    return false;
  }
  next_.file.length = file_.length();
  if (!line.row) return true;
  next_.row = line.row->number + 1;
  next_.last = line.row->key;
  return true;
}

Result<void> RowFile::publish(const NumberedRow& row) {
  if (auto done = settle(); !done) return done;
  if (row.number < next_.row) return {};  // it is there
  if (file_.behind().erase(row.value) > 0) {
    next_.row = row.number + 1;
    next_.last = row.key;
    return {};
  }
  return take({.row = row, .value = row.value});
}

// Beside final rows, in their file: not synced, and cut off by the run after one that was killed.
Result<void> RowFile::publish_provisional(std::string_view /*key*/, std::string_view value) {
  return take({.row = std::nullopt, .value = std::string(value)});
}

// Of periods of another length, before a restart, one may end later than this begins. A file that had only provisional rows
// belongs to no period yet.
Result<void> RowFile::enter_period(EventTime period) {
  if (period <= next_.period) return {};
  if (next_.file.length > 0 && next_.period != minus_infinity) {
    if (auto done = rotate(); !done) return done;
  }
  next_.period = period;
  next_.label = period_label(period, rotate_);
  safe_ = next_;
  safe_.file = file_.mark();
  return {};
}

Result<void> RowFile::rotate() {
  if (const int error = file_.sync(); error != 0) return file_.failed("write to", error);
  for (const std::string& name : {names_.closed(next_.label), names_.open(next_.label)}) {
    if (access(name.c_str(), F_OK) != 0) continue;
    return failure(
        Errc::output_failed,
        fmt::format("publish.file: the name that the rows until now would get is taken; move that file away: {}", name));
  }
  if (std::rename(file_.path().c_str(), names_.open(next_.label).c_str()) != 0) return file_.failed("rename", errno);
  if (const int error = file_.begin_another(); error != 0) return file_.failed("open", error);
  names_.sync();
  closed_.push_back(next_.label);
  next_.file = file_.mark();
  return {};
}

// What the state's position lies behind is closed for good. Somebody may have taken such a file away before: it has all its
// rows.
Result<void> RowFile::settle() {
  std::vector<std::string> waiting;
  for (std::string& label : closed_) {
    if (label >= saved_label_) {
      waiting.push_back(std::move(label));
    } else if (std::rename(names_.open(label).c_str(), names_.closed(label).c_str()) != 0 && errno != ENOENT) {
      return file_.failed("rename a file that was closed beside", errno);
    }
  }
  closed_ = std::move(waiting);
  return {};
}

Result<std::uint64_t> RowFile::published() {
  if (auto done = settle(); !done) return tl::unexpected(std::move(done).error());
  if (auto done = look(); !done) return tl::unexpected(std::move(done).error());
  if (safe_.row != next_.row) {
    if (const int error = file_.sync(); error != 0) return file_.failed("write to", error);
    safe_ = next_;
    safe_.file = file_.mark();
  }
  return safe_.row;
}

// Who asks for it has moved the file away, with the rows until now: nothing is lost.
Result<void> RowFile::reopen() {
  const auto found = file_.look();
  if (!found) return tl::unexpected(found.error());
  if (*found != AppendedFile::Found::same) begin_another();
  return {};
}

std::string RowFile::position() const {
  saved_label_ = safe_.label;
  state_knows_ = true;
  ByteWriter to;
  to.add(safe_.row);
  to.add(safe_.file.length);
  to.add_signed(safe_.period.ms);
  to.add_text(safe_.label);
  safe_.file.write(to);
  to.add_text(safe_.last);
  return to.take();
}

}  // namespace

std::unique_ptr<RowPublisher> row_file(const std::string& path, RowFileOptions options) {
  return std::make_unique<RowFile>(path, std::move(options));
}

}  // namespace recmeter::file
