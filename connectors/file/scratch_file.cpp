#include "file/scratch_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "file/nameless_file.h"

namespace recmeter::file {

namespace {

tl::unexpected<Error> failed(std::string_view what, const std::string& directory, std::string_view remedy, int error) {
  return failure(Errc::output_failed, fmt::format("cannot {} a temporary file in {} ({}); {}", what, directory,
                                                  std::generic_category().message(error), remedy));
}

}  // namespace

Result<std::shared_ptr<ScratchFile>> ScratchFile::create(std::string_view remedy) {
  const char* const chosen = std::getenv("TMPDIR");
  return create(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp", remedy);
}

Result<std::shared_ptr<ScratchFile>> ScratchFile::create(std::string directory, std::string_view remedy) {
  const int descriptor = make_nameless_file(directory);
  if (descriptor < 0) return failed("make", directory, remedy, errno);
  return std::shared_ptr<ScratchFile>(new ScratchFile(descriptor, std::move(directory), remedy));
}

ScratchFile::~ScratchFile() {
  close(descriptor_);
}

Result<std::uint64_t> ScratchFile::append(std::span<const char> bytes) {
  const std::uint64_t start = size_;
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write", directory_, remedy_, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
  return start;
}

Result<void> ScratchFile::read(std::uint64_t offset, std::span<char> into) const {
  while (!into.empty()) {
    const ssize_t got = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failed("read", directory_, remedy_, got < 0 ? errno : EIO);
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

}  // namespace recmeter::file
