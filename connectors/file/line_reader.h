// LineReader: cuts a stream of bytes into records, block by block.
//
// Thread safety: none. Invariants: those of RecordBatch, and (1) to (4) of recmeter/file/open_file.h. A line that is too long
// is held up to its limit and passed over from there; nothing is allocated once the batches given back are large enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "file/byte_stream.h"
#include "recmeter/event/record_batch.h"

namespace recmeter::file {

class LineReader {
 public:
  explicit LineReader(std::size_t record_bytes_max) : record_bytes_max_(record_bytes_max) {}

  // Fills `into` with at least one record, reading blocks of `block` bytes, or marks it `last`.
  // Requires: `from` stands where the last read left it, or at position() after rewind(); block > 0.
  [[nodiscard]] Result<void> read(ByteStream& from, std::size_t block, RecordBatch& into);

  // Where in the stream the first line begins that has not been handed out.
  [[nodiscard]] std::uint64_t position() const { return stream_offset_ - carry_.size(); }
  // Forgets what was read beyond position().
  void rewind();

 private:
  // The part of the buffer in hand: [line, end) is the line begun; no LF lies before `scanned`.
  struct Span {
    std::size_t line = 0;
    std::size_t scanned = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] Result<std::size_t> append_block(ByteStream& from, std::size_t block, RecordBatch& into, Span& span);
  [[nodiscard]] bool skip_mark(const RecordBatch& into, Span& span, bool at_end);
  void add_lines(RecordBatch& into, Span& span) const;
  void add_line(RecordBatch& into, std::size_t line, std::size_t end) const;
  [[nodiscard]] Result<bool> pass_over(ByteStream& from, std::size_t block, RecordBatch& into, Span& span);

  std::size_t record_bytes_max_;
  std::uint64_t stream_offset_ = 0;  // how far the stream has been read
  std::vector<char> carry_;          // the line begun at the end of the last batch
  bool mark_decided_ = false;        // whether the stream began with a byte-order mark has been seen to
};

}  // namespace recmeter::file
