// FileSource: the RecordSource of open_file: stored bytes, unpacked, cut into records.
//
// Thread safety: as RecordSource.
#pragma once

#include <memory>

#include "file/packing.h"
#include "file/peeked_stream.h"
#include "file/record_cutter.h"
#include "file/stored_file.h"
#include "recmeter/file/container.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

class FileSource final : public RecordSource {
 public:
  FileSource(StoredFile stored, std::size_t record_bytes_max)
      : stored_(std::move(stored)), record_bytes_max_(record_bytes_max) {}
  FileSource(const FileSource&) = delete;  // what unpacks reads stored_ where it stands
  FileSource& operator=(const FileSource&) = delete;

  // Looks at the first bytes. Waits for them on a pipe.
  [[nodiscard]] Result<std::vector<std::string>> columns_of(const ContainerForm& form, const RecordLayout& layout);
  [[nodiscard]] Result<void> recognise_packing();
  // Once, before the first read: what of `form` is not said is recognised.
  [[nodiscard]] Result<FoundContainer> cut_as(const ContainerForm& form);

  // Goes on at `position`, as RecordCutter. False: it cannot, being packed, a pipe or an array.
  [[nodiscard]] bool skip_to(std::uint64_t position);

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
  [[nodiscard]] Result<RecordLayout> layout_of(const ContainerForm& form, std::optional<char> delimiter);
  [[nodiscard]] PeekedStream& stream();
  [[nodiscard]] Result<std::string_view> peek(std::size_t bytes);
  void close();
  void finish();

  StoredFile stored_;
  std::size_t record_bytes_max_;
  std::optional<Packing> packing_;
  std::unique_ptr<ByteStream> unpacked_;  // absent when plain or suspended; reads stored_
  std::optional<PeekedStream> peeked_;    // over the unpacked or the stored bytes; absent when suspended
  std::unique_ptr<RecordCutter> cutter_;
  bool ended_ = false;
};

}  // namespace recmeter::file
