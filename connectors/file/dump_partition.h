// DumpPartition: the records of one topic-partition, put together from dumps; DumpSource: their RecordSource.
//
// Thread safety: DumpPartition none, while it is filled; immutable and shared by nobody afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "file/dump_line.h"
#include "file/scratch_file.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

class DumpPartition {
 public:
  explicit DumpPartition(std::int64_t first_offset) : first_offset_(first_offset), next_offset_(first_offset) {}

  // What add() wants to see next, at least.
  [[nodiscard]] std::int64_t next_offset() const { return next_offset_; }
  // Requires: line.offset >= next_offset().
  [[nodiscard]] Result<void> add(const DumpLine& line, ScratchFile& scratch);
  // Nothing is added from now on.
  [[nodiscard]] Result<void> finish(ScratchFile& scratch) { return flush(scratch); }

  struct Chunk {
    std::uint64_t offset;
    std::size_t size;
  };
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool is_cut_at_start() const { return first_offset_ > 0; }

 private:
  [[nodiscard]] Result<void> flush(ScratchFile& scratch);

  std::int64_t first_offset_;
  std::int64_t next_offset_;
  std::vector<char> pending_;  // records not in the scratch file yet
  std::vector<Chunk> chunks_;
  std::uint64_t bytes_ = 0;
};

class DumpSource final : public RecordSource {
 public:
  DumpSource(std::string name, DumpPartition&& partition, std::shared_ptr<const ScratchFile> scratch)
      : name_(std::move(name)), partition_(std::move(partition)), scratch_(std::move(scratch)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return false; }  // the scratch file's descriptor is everybody's
  [[nodiscard]] bool is_cut_at_start() const override { return partition_.is_cut_at_start(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return partition_.bytes(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  std::string name_;
  DumpPartition partition_;
  std::shared_ptr<const ScratchFile> scratch_;
  std::size_t next_chunk_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace recmeter::file
