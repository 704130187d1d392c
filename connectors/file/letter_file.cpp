#include "recmeter/file/letter_file.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "file/appended_file.h"
#include "recmeter/base/byte_code.h"

namespace recmeter::file {

namespace {

constexpr std::size_t unsynced_bytes_max = std::size_t{1} << 20;

constexpr std::string_view setting = "dead_letter.file";

// Letters wait in `unsynced_` until they have been written and synced in one go: after a sync that failed nobody knows what
// the system has dropped, so all of it is written again.
class LetterFile final : public DeadLetters {
 public:
  LetterFile(std::string path, TellLost lost)
      : file_(std::move(path), std::string(setting), "letters", 0600), tell_lost_(std::move(lost)) {}

  Result<void> go_on_from(std::string_view position) override;
  Result<void> send(DeadLetter letter) override;
  Result<Delivery> deliver(bool all) override;
  Result<void> reopen() override;
  bool awaits_state() const override { return awaits_state_; }
  std::string position() const override;

 private:
  [[nodiscard]] std::string why(int error) const { return file_.failed("write to", error).value().context; }
  // errno, or 0; nothing where the file was cut.
  [[nodiscard]] std::optional<int> write_all();
  void begin_another();
  void lose(AppendedFile::Found found);

  AppendedFile file_;
  TellLost tell_lost_;
  AppendedFile::Mark synced_;
  std::string unsynced_;
  std::string last_;  // place of the last letter that is synced, and of the last one sent
  std::string last_sent_;
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
  bool awaits_state_ = false;  // as the file of rows: the state is told of another file before it has letters
  mutable bool state_knows_ = false;
};

Result<void> LetterFile::go_on_from(std::string_view position) {
  ByteReader from(position);
  const bool is_known = !position.empty() && from.text() == file_.path();
  if (is_known) {
    synced_.length = from.number();
    if (from.left() > 0) {
      synced_.read(from);
      last_ = from.text();
    }
  }
  const auto found = file_.go_on_from(is_known ? std::optional(synced_) : std::nullopt);
  if (!found) return tl::unexpected(found.error());
  synced_ = file_.mark();
  if (*found != AppendedFile::Found::same) lose(*found);
  return {};
}

void LetterFile::begin_another() {
  synced_ = file_.mark();
  awaits_state_ = true;
  state_knows_ = false;
}

void LetterFile::lose(AppendedFile::Found found) {
  begin_another();
  if (!tell_lost_) return;
  tell_lost_(
      {.setting = std::string(setting),
       .sentence = fmt::format("{} was {}: {}; its last letter is of {}; the next letter goes to the file that is there "
                               "now",
                               setting, found == AppendedFile::Found::cut ? "cut" : "moved or deleted", file_.path(),
                               last_.empty() ? "no record" : last_)});
}

Result<void> LetterFile::send(DeadLetter letter) {
  ++sent_;
  last_sent_ = fmt::format("{}/{} at offset {}", letter.topic, letter.partition, letter.offset);
  std::string line = render_json(letter);
  if (file_.behind().erase(line) > 0) return {};  // it was written before the file was moved
  unsynced_ += line;
  unsynced_ += '\n';
  return {};
}

Result<DeadLetters::Delivery> LetterFile::deliver(bool all) {
  Delivery delivery{.delivered = delivered_, .trouble = {}};
  if (awaits_state_ && !std::exchange(state_knows_, false)) return delivery;
  awaits_state_ = false;
  const auto found = file_.look();
  if (!found && found.error().code != Errc::output_failed) return tl::unexpected(found.error());
  if (!found) {
    delivery.trouble = found.error().context;
    return delivery;
  }
  if (*found != AppendedFile::Found::same) {
    lose(*found);
    return delivery;
  }
  if (unsynced_.empty() || (!all && unsynced_.size() < unsynced_bytes_max)) {
    if (unsynced_.empty()) delivery.delivered = delivered_ = sent_;
    return delivery;
  }
  const std::optional<int> error = write_all();
  if (!error) {
    lose(AppendedFile::Found::cut);
  } else if (*error != 0) {
    delivery.trouble = why(*error);
  } else {
    synced_ = file_.mark();
    unsynced_.clear();
    last_ = last_sent_;
    delivery.delivered = delivered_ = sent_;
  }
  return delivery;
}

std::optional<int> LetterFile::write_all() {
  const auto appended = file_.append(unsynced_);
  if (appended.was_cut) return std::nullopt;
  if (appended.error != 0) return appended.error;
  const int error = file_.sync();
  return error == 0 ? 0 : file_.take_back(synced_.length, error);
}

// What is not synced yet goes to the file that is there now. Who asks for it has moved the other one away: nothing is lost.
Result<void> LetterFile::reopen() {
  const auto found = file_.look();
  if (!found) return tl::unexpected(found.error());
  if (*found != AppendedFile::Found::same) begin_another();
  return {};
}

std::string LetterFile::position() const {
  state_knows_ = true;
  ByteWriter to;
  to.add_text(file_.path());
  to.add(synced_.length);
  synced_.write(to);
  to.add_text(last_);
  return to.take();
}

}  // namespace

std::unique_ptr<DeadLetters> letter_file(std::string path, TellLost lost) {
  return std::make_unique<LetterFile>(std::move(path), std::move(lost));
}

}  // namespace recmeter::file
