// ByteLog: variable-sized records appended at one end and forgotten, in bulk, at the other. No record moves while it lives.
//
// Thread safety: none. Invariants:
//   (1) an offset is valid until forget_before() with a larger one; offsets only grow;
//   (2) a record lies in one chunk, aligned to 4 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace recmeter {

class ByteLog {
 public:
  // Requires: no record is larger than `record_bytes_max`.
  explicit ByteLog(std::size_t record_bytes_max);

  // Room for `size` bytes; returns their offset.
  std::uint64_t append(std::size_t size);
  [[nodiscard]] std::byte* at(std::uint64_t offset) {
    return chunks_[offset / chunk_bytes_ - first_chunk_].get() + offset % chunk_bytes_;
  }
  [[nodiscard]] const std::byte* at(std::uint64_t offset) const {
    return chunks_[offset / chunk_bytes_ - first_chunk_].get() + offset % chunk_bytes_;
  }
  // Where the next record may begin at the earliest.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  // Frees what lies wholly before `offset`.
  void forget_before(std::uint64_t offset);

 private:
  std::size_t chunk_bytes_;
  std::deque<std::unique_ptr<std::byte[]>> chunks_;
  std::vector<std::unique_ptr<std::byte[]>> spare_;  // at most one: the next chunk to be used
  std::uint64_t first_chunk_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace recmeter
