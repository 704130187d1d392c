#include "recmeter/file/letter_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "file/same_file.h"
#include "recmeter/base/byte_code.h"

namespace recmeter::file {

namespace {

constexpr std::size_t unsynced_bytes_max = std::size_t{1} << 20;

// Letters wait in `unsynced_` until they have been written and synced in one go: after a sync that failed nobody knows what
// the system has dropped, so all of it is written again.
class LetterFile final : public DeadLetters {
 public:
  explicit LetterFile(std::string path) : path_(std::move(path)) {}
  LetterFile(const LetterFile&) = delete;
  LetterFile& operator=(const LetterFile&) = delete;
  ~LetterFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Result<void> go_on_from(std::string_view position) override;
  Result<void> send(DeadLetter letter) override;
  Result<Delivery> deliver(bool all) override;
  Result<void> reopen() override;
  std::string position() const override;

 private:
  [[nodiscard]] std::string why(std::string_view what, int error) const;
  // errno, or 0.
  [[nodiscard]] int write_all() const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t length_ = 0;  // of what is synced
  std::string unsynced_;
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
};

std::string LetterFile::why(std::string_view what, int error) const {
  return fmt::format("cannot {} dead_letter.file ({}); free some space, or correct its permissions: {}", what,
                     std::generic_category().message(error), path_);
}

Result<void> LetterFile::go_on_from(std::string_view position) {
  ByteReader from(position);
  const bool is_known = !position.empty() && from.text() == path_;
  length_ = is_known ? from.number() : 0;
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return failure(Errc::output_failed, why("open", errno));
  const off_t there = lseek(descriptor_, 0, SEEK_END);
  if (there < 0) return failure(Errc::output_failed, why("read", errno));
  if (!is_known && there > 0) {
    return failure(Errc::state_unusable, fmt::format("dead_letter.file {} holds letters that this state did not write; move "
                                                     "the file away, or continue with the state that wrote them",
                                                     path_));
  }
  if (static_cast<std::uint64_t>(there) < length_) {
    return failure(Errc::output_failed, fmt::format("dead_letter.file is shorter than what was written ({} bytes of {}); put "
                                                    "it back, or name another file: {}",
                                                    there, length_, path_));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(length_)) != 0) return failure(Errc::output_failed, why("cut", errno));
  return {};
}

Result<void> LetterFile::send(DeadLetter letter) {
  unsynced_ += render_json(letter);
  unsynced_ += '\n';
  ++sent_;
  return {};
}

Result<DeadLetters::Delivery> LetterFile::deliver(bool all) {
  Delivery delivery;
  if (!unsynced_.empty() && (all || unsynced_.size() >= unsynced_bytes_max)) {
    int error = write_all();
    if (error == 0 && fdatasync(descriptor_) != 0) error = errno;
    if (error == 0) {
      length_ += unsynced_.size();
      unsynced_.clear();
      delivered_ = sent_;
    } else {
      delivery.trouble = why("write to", error);
    }
  }
  delivery.delivered = delivered_;
  return delivery;
}

int LetterFile::write_all() const {
  std::string_view rest = unsynced_;
  for (std::uint64_t at = length_; !rest.empty();) {
    const ssize_t written = pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    rest.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  return 0;
}

// What is not synced yet goes to the new file.
Result<void> LetterFile::reopen() {
  const int again = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (again < 0) return failure(Errc::output_failed, why("open", errno));
  if (is_same_file(again, descriptor_)) {
    close(again);
    return {};
  }
  const off_t there = lseek(again, 0, SEEK_END);
  if (there < 0) {
    const int error = errno;
    close(again);
    return failure(Errc::output_failed, why("read", error));
  }
  close(std::exchange(descriptor_, again));
  length_ = static_cast<std::uint64_t>(there);
  return {};
}

std::string LetterFile::position() const {
  ByteWriter to;
  to.add_text(path_);
  to.add(length_);
  return to.take();
}

}  // namespace

std::unique_ptr<DeadLetters> letter_file(std::string path) {
  return std::make_unique<LetterFile>(std::move(path));
}

}  // namespace recmeter::file
