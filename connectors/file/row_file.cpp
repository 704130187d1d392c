#include "recmeter/file/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "recmeter/base/byte_code.h"

namespace recmeter::file {

namespace {

class RowFile final : public RowPublisher {
 public:
  explicit RowFile(std::string path) : path_(std::move(path)) {}
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Result<void> go_on_from(std::string_view position) override;
  Result<void> publish(const NumberedRow& row) override;
  Result<std::uint64_t> published() override;
  std::string position() const override;

 private:
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t next_ = 0;    // number of the row wanted next
  std::uint64_t length_ = 0;  // of the file
  std::uint64_t safe_next_ = 0;
  std::uint64_t safe_length_ = 0;
};

tl::unexpected<Error> RowFile::failed(std::string_view what, int error) const {
  return failure(Errc::output_failed, fmt::format("cannot {} publish.file.path ({}); make room, or correct its rights: {}",
                                                  what, std::generic_category().message(error), path_));
}

Result<void> RowFile::go_on_from(std::string_view position) {
  ByteReader from(position);
  const std::uint64_t rows = position.empty() ? 0 : from.number();
  const std::uint64_t length = position.empty() ? 0 : from.number();
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return failed("open", errno);
  const off_t there = lseek(descriptor_, 0, SEEK_END);
  if (there < 0) return failed("read", errno);
  if (position.empty() && there > 0) {
    return failure(Errc::output_failed,
                   fmt::format("publish.file.path holds rows that this state has not written; move it away: {}", path_));
  }
  if (static_cast<std::uint64_t>(there) < length) {
    return failure(Errc::output_failed,
                   fmt::format("publish.file.path is shorter than what was written ({} bytes of {}); put it "
                               "back, or name another file and state: {}",
                               there, length, path_));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0) return failed("cut", errno);
  next_ = safe_next_ = rows;
  length_ = safe_length_ = length;
  return {};
}

Result<void> RowFile::publish(const NumberedRow& row) {
  if (row.number < next_) return {};  // it is there
  const std::string line = row.value + "\n";
  std::string_view rest = line;
  std::uint64_t at = length_;
  while (!rest.empty()) {
    const ssize_t written = pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write to", errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  length_ = at;
  next_ = row.number + 1;
  return {};
}

Result<std::uint64_t> RowFile::published() {
  if (safe_next_ != next_) {
    if (fdatasync(descriptor_) != 0) return failed("write to", errno);
    safe_next_ = next_;
    safe_length_ = length_;
  }
  return safe_next_;
}

std::string RowFile::position() const {
  ByteWriter to;
  to.add(safe_next_);
  to.add(safe_length_);
  return to.take();
}

}  // namespace

std::unique_ptr<RowPublisher> row_file(std::string path) {
  return std::make_unique<RowFile>(std::move(path));
}

}  // namespace recmeter::file
