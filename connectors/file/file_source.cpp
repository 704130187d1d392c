#include "file/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "file/array_cutter.h"
#include "file/avro_cutter.h"
#include "file/foreign.h"
#include "file/gzip_stream.h"
#include "file/line_reader.h"
#include "file/zstd_stream.h"
#include "recmeter/base/check.h"
#include "recmeter/event/row_reader.h"
#include "recmeter/file/open_file.h"

namespace recmeter::file {
namespace {

constexpr std::size_t skip_bytes = std::size_t{256} << 10;

}  // namespace

namespace {

struct CutFile {
  std::unique_ptr<FileSource> source;
  FoundContainer found;
};

Result<CutFile> open_cut(const std::string& path, const ContainerForm& form, FileOptions options) {
  auto stored = StoredFile::open(path, options.stop);
  if (!stored) return tl::unexpected(stored.error());
  const bool waits = !stored->is_reopenable();
  ContainerForm said = form;
  if (waits && path != "-") {
    said.container = said.container.value_or(Container::lines);
    said.delimiter = said.delimiter.value_or(',');
  }
  auto source = std::make_unique<FileSource>(std::move(*stored), options.message_bytes_max);
  if (!waits) {
    // Refused now rather than in the middle of a run; a pipe may not have anything yet.
    if (auto known = source->recognise_packing(); !known) return tl::unexpected(known.error());
  }
  auto found = source->cut_as(said);
  if (!found) return tl::unexpected(std::move(found).error());
  if (!form.container && said.container) found->why = "a pipe is not examined";
  source->suspend();
  return CutFile{std::move(source), std::move(*found)};
}

}  // namespace

Result<std::unique_ptr<RecordSource>> open_file(const std::string& path, FileOptions options) {
  auto opened = open_log(path, {.container = Container::lines}, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  return std::move(opened->source);
}

Result<OpenedLog> open_log(const std::string& path, const ContainerForm& form, FileOptions options) {
  auto opened = open_cut(path, form, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  return OpenedLog{std::move(opened->source), std::move(opened->found)};
}

Result<std::vector<RecordBatch>> sample_log(const std::string& path, const ContainerForm& form, FileOptions options,
                                            std::size_t places, std::size_t bytes) {
  std::vector<RecordBatch> sample;
  auto opened = open_cut(path, form, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  FileSource& source = *opened->source;
  if (source.bytes_total() <= places * bytes) return sample;
  for (std::size_t place = 0; place < places; ++place) {
    if (place > 0 && !source.skip_to(source.bytes_total() / places * place)) break;
    auto batch = source.read(bytes, {});
    if (!batch) return tl::unexpected(std::move(batch).error());
    if (place > 0 && !batch->records.empty()) batch->records.erase(batch->records.begin());
    sample.push_back(std::move(*batch));
    if (sample.back().last) break;
  }
  return sample;
}

Result<FoundContainer> FileSource::cut_as(const ContainerForm& form) {
  FoundContainer found;
  if (form.container) {
    found.container = *form.container;
  } else {
    auto start = peek(container_bytes);
    if (!start) return tl::unexpected(std::move(start).error());
    found = recognise_container(*start, stored_.name(), form);
    auto foreign = foreign_of(*start);
    if (!foreign && found.container != Container::avro) foreign = encoding_of(*start);
    if (foreign) return tl::unexpected(foreign_error(*foreign, unpacker_of(*packing_), stored_.name()));
  }
  switch (found.container) {
    case Container::lines: cutter_ = std::make_unique<LineReader>(record_bytes_max_); break;
    case Container::rows: {
      auto layout = layout_of(form, found.delimiter);
      if (!layout) return tl::unexpected(std::move(layout).error());
      found.delimiter = layout->delimiter;
      auto columns = columns_of(form, *layout);
      if (!columns) return tl::unexpected(std::move(columns).error());
      found.columns = std::move(*columns);
      cutter_ = std::make_unique<LineReader>(record_bytes_max_, *layout, form, stored_.name());
      break;
    }
    case Container::objects:
    case Container::array: cutter_ = std::make_unique<ArrayCutter>(record_bytes_max_, form.records, stored_.name()); break;
    case Container::avro: cutter_ = std::make_unique<AvroCutter>(record_bytes_max_, stored_.name()); break;
  }
  return found;
}

// `delimiter`: of rows that were recognised.
Result<RecordLayout> FileSource::layout_of(const ContainerForm& form, std::optional<char> delimiter) {
  RecordLayout layout{
      .text = {}, .delimiter = form.delimiter.value_or(','), .quote = form.quote.value_or('"'), .escape = form.escape};
  if (form.delimiter) return layout;
  if (!delimiter) {
    auto start = peek(container_bytes);
    if (!start) return tl::unexpected(std::move(start).error());
    delimiter = recognise_delimiter(*start, form);
  }
  layout.delimiter = delimiter.value_or(',');
  if (layout.delimiter == '\t' && !form.quote) layout.quote = '\0';  // TSV has none
  return layout;
}

// A stream is not waited for but where its format was looked for.
Result<std::vector<std::string>> FileSource::columns_of(const ContainerForm& form, const RecordLayout& layout) {
  if (!form.has_header || !(stored_.is_reopenable() || peeked_)) return std::vector<std::string>();
  auto start = peek(container_bytes);
  if (!start) return tl::unexpected(std::move(start).error());
  const std::string_view header = header_of(*start, form);
  return header.empty() ? std::vector<std::string>() : cells_of(header, layout).value_or(std::vector<std::string>());
}

// The unpacked beginning.
Result<std::string_view> FileSource::peek(std::size_t bytes) {
  if (auto resumed = resume(); !resumed) return tl::unexpected(std::move(resumed).error());
  return stream().peek(bytes);
}

PeekedStream& FileSource::stream() {
  if (!peeked_) peeked_.emplace(unpacked_ == nullptr ? static_cast<ByteStream&>(stored_) : *unpacked_);
  return *peeked_;
}

Result<void> FileSource::recognise_packing() {
  auto start = stored_.peek(stored_.is_reopenable() ? foreign_bytes : packing_bytes);
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
  if (done) done = cutter_->read(stream(), std::max<std::size_t>(bytes, 1), reuse);
  if (!done || reuse.last) finish();
  if (!done) return tl::unexpected(std::move(done.error()));
  return reuse;
}

Result<void> FileSource::resume() {
  if (!packing_) return recognise_packing();
  if (stored_.is_open()) return {};
  const std::uint64_t position = cutter_->position();
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
  close();
  cutter_->rewind();
}

bool FileSource::skip_to(std::uint64_t position) {
  if (packing_ != Packing::plain || !stored_.is_reopenable() || !cutter_->skip_to(position)) return false;
  close();
  return true;
}

void FileSource::finish() {
  ended_ = true;
  close();
}

void FileSource::close() {
  peeked_.reset();
  unpacked_.reset();
  stored_.close();
}

}  // namespace recmeter::file
