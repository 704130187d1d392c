// RecordCutter: cuts a stream of bytes into records, block by block. What a container is (lines, rows, an array) is its
// alone.
//
// Thread safety: none. Invariants: those of RecordBatch, and (1) to (5) of recmeter/file/open_file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "file/byte_stream.h"
#include "recmeter/event/record_batch.h"

namespace recmeter::file {

// Of UTF-8; no part of the first record.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class RecordCutter {
 public:
  RecordCutter() = default;
  RecordCutter(const RecordCutter&) = delete;
  RecordCutter& operator=(const RecordCutter&) = delete;
  virtual ~RecordCutter() = default;

  // Fills `into` with at least one record, reading blocks of `block` bytes, or marks it `last`.
  // Requires: `from` stands where the last read left it, or at position() after rewind(); block > 0.
  // Errors: those of the stream; input_corrupt where the container is damaged, after the records before the damage.
  [[nodiscard]] virtual Result<void> read(ByteStream& from, std::size_t block, RecordBatch& into) = 0;

  // Where in the stream reading can begin again: at the first record that has not been handed out, or before it.
  [[nodiscard]] virtual std::uint64_t position() const = 0;
  // Forgets what was read beyond position().
  virtual void rewind() = 0;
  // Goes on in the middle, at `position`: the first record is what is left of one. False: that cannot be cut.
  [[nodiscard]] virtual bool skip_to(std::uint64_t /*position*/) { return false; }
};

}  // namespace recmeter::file
