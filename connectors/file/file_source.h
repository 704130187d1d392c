// FileSource: the RecordSource of open_file: stored bytes, unpacked, cut into records.
//
// Thread safety: as RecordSource.
#pragma once

#include <memory>

#include "file/line_reader.h"
#include "file/packing.h"
#include "file/stored_file.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

class FileSource final : public RecordSource {
 public:
  FileSource(StoredFile stored, std::size_t record_bytes_max) : stored_(std::move(stored)), lines_(record_bytes_max) {}
  FileSource(const FileSource&) = delete;  // what unpacks reads stored_ where it stands
  FileSource& operator=(const FileSource&) = delete;

  // Looks at the first bytes. Waits for them on a pipe.
  [[nodiscard]] Result<void> recognise_packing();

  [[nodiscard]] std::string_view name() const override { return stored_.name(); }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  void suspend() override;
  [[nodiscard]] bool is_open() const override { return stored_.is_open(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return stored_.size(); }
  // Does not fall after a suspension either: the next read goes at least to the end of the line that was begun.
  [[nodiscard]] std::uint64_t bytes_read() const override { return stored_.offset(); }

 private:
  [[nodiscard]] Result<void> resume();
  [[nodiscard]] Result<void> unpack_up_to(std::uint64_t position);
  void unpack_from_here();
  [[nodiscard]] ByteStream& stream() { return unpacked_ == nullptr ? stored_ : *unpacked_; }
  void finish();

  StoredFile stored_;
  std::optional<Packing> packing_;
  std::unique_ptr<ByteStream> unpacked_;  // absent when plain or suspended; reads stored_
  LineReader lines_;
  bool ended_ = false;
};

}  // namespace recmeter::file
