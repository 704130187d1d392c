#include "file/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "file/gzip_stream.h"
#include "file/zstd_stream.h"
#include "recmeter/base/check.h"
#include "recmeter/file/open_file.h"

namespace recmeter::file {
namespace {

constexpr std::size_t skip_bytes = std::size_t{256} << 10;

}  // namespace

Result<std::unique_ptr<RecordSource>> open_file(const std::string& path, FileOptions options) {
  auto stored = StoredFile::open(path, options.stop);
  if (!stored) return tl::unexpected(stored.error());
  const bool waits = !stored->is_reopenable();
  auto source = std::make_unique<FileSource>(std::move(*stored), options.message_bytes_max);
  if (!waits) {
    // Refused now rather than in the middle of a run; a pipe may not have anything yet.
    if (auto known = source->recognise_packing(); !known) return tl::unexpected(known.error());
    source->suspend();
  }
  return source;
}

Result<void> FileSource::recognise_packing() {
  auto start = stored_.peek(packing_bytes);
  if (!start) return tl::unexpected(start.error());
  auto packing = recognise(*start, stored_.name());
  if (!packing) return tl::unexpected(packing.error());
  packing_ = *packing;
  unpack_from_here();
  return {};
}

void FileSource::unpack_from_here() {
  switch (*packing_) {
    case Packing::plain: return;
    case Packing::gzip: unpacked_ = std::make_unique<GzipStream>(stored_); return;
    case Packing::zstd: unpacked_ = std::make_unique<ZstdStream>(stored_); return;
  }
}

Result<RecordBatch> FileSource::read(std::size_t bytes, RecordBatch reuse) {
  if (ended_) {
    reuse.records.clear();
    reuse.last = true;
    return reuse;
  }
  Result<void> done = resume();
  if (done) done = lines_.read(stream(), std::max<std::size_t>(bytes, 1), reuse);
  if (!done || reuse.last) finish();
  if (!done) return tl::unexpected(std::move(done.error()));
  return reuse;
}

Result<void> FileSource::resume() {
  if (!packing_) return recognise_packing();
  if (stored_.is_open()) return {};
  const std::uint64_t position = lines_.position();
  if (*packing_ == Packing::plain) return stored_.open_at(position);
  if (auto opened = stored_.open_at(0); !opened) return opened;
  unpack_from_here();
  return unpack_up_to(position);
}

Result<void> FileSource::unpack_up_to(std::uint64_t position) {
  std::vector<char> passed(skip_bytes);
  while (position > 0) {
    auto got = stream().read(passed.data(), static_cast<std::size_t>(std::min<std::uint64_t>(position, passed.size())));
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) {
      return failure(Errc::input_unreadable,
                     fmt::format("the input became shorter while it was read; copy files that are rotated or rewritten, and "
                                 "read the copy: {}",
                                 stored_.name()));
    }
    position -= *got;
  }
  return {};
}

void FileSource::suspend() {
  if (!stored_.is_reopenable() || !stored_.is_open()) return;
  unpacked_.reset();
  stored_.close();
  lines_.rewind();
}

void FileSource::finish() {
  ended_ = true;
  unpacked_.reset();
  stored_.close();
}

}  // namespace recmeter::file
