// AvroCutter: records of an Avro object container file. Its blocks are unpacked whole, and handed out whole.
//
// A block that is damaged or ends early ends the input; what came before it was read. Memory is bounded by the size asked for
// and the blocks, which have at most 64 MiB, packed and unpacked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file/record_cutter.h"
#include "recmeter/avro/program.h"

namespace recmeter::file {

class AvroCutter final : public RecordCutter {
 public:
  AvroCutter(std::size_t record_bytes_max, std::string name);

  [[nodiscard]] Result<void> read(ByteStream& from, std::size_t block, RecordBatch& into) override;
  // Where the first block begins that has not been handed out.
  [[nodiscard]] std::uint64_t position() const override { return offset_; }
  void rewind() override;

 private:
  [[nodiscard]] Result<void> read_header(ByteStream& from);
  // False: there is no more block.
  [[nodiscard]] Result<bool> read_block(ByteStream& from, RecordBatch& into);
  [[nodiscard]] bool cut(std::int64_t count, std::size_t begin, RecordBatch& into) const;
  // Reads until `count` bytes lie ready, or the stream has ended.
  [[nodiscard]] Result<void> fill(ByteStream& from, std::size_t count);
  [[nodiscard]] std::string_view ready() const { return std::string_view(bytes_).substr(passed_); }
  void pass(std::size_t count);
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

  std::size_t record_bytes_max_;
  std::string name_;
  avro::Program metadata_;
  avro::Program block_head_;

  std::string bytes_;                     // that were read
  std::size_t passed_ = 0;                // of them
  std::uint64_t offset_ = 0;              // of what comes after these
  std::optional<avro::Program> lengths_;  // of the records; none: the header has not been read
  std::shared_ptr<const RecordLayout> layout_;
  std::string codec_;
  std::string sync_;
  std::optional<Error> failed_;  // told once what came before it has been handed out
};

}  // namespace recmeter::file
