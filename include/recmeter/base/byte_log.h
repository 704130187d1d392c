// ByteLog: variable-sized records appended at one end and forgotten, in bulk, at the other. No record moves while it lives.
//
// Its memory comes from a resource, for it may hold more than should be in memory. Thread safety: none. Invariants:
//   (1) an offset is valid until forget_before() with a larger one; offsets only grow;
//   (2) a record lies in one chunk, aligned to 4 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

namespace recmeter {

class ByteLog {
 public:
  // Requires: no record is larger than `record_bytes_max`. `memory` outlives the log.
  explicit ByteLog(std::size_t record_bytes_max, std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  // Room for `size` bytes; returns their offset.
  std::uint64_t append(std::size_t size);
  [[nodiscard]] std::byte* at(std::uint64_t offset) {
    return chunks_[chunk_of(offset) - first_chunk_].get() + within(offset);
  }
  [[nodiscard]] const std::byte* at(std::uint64_t offset) const {
    return chunks_[chunk_of(offset) - first_chunk_].get() + within(offset);
  }
  // Where the next record may begin at the earliest.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  // Frees what lies wholly before `offset`.
  void forget_before(std::uint64_t offset);

 private:
  struct GiveBack {
    std::pmr::memory_resource* memory;
    std::size_t bytes;
    void operator()(std::byte* chunk) const { memory->deallocate(chunk, bytes); }
  };
  using Chunk = std::unique_ptr<std::byte[], GiveBack>;

  // A chunk's size is a power of two: where a record is costs a shift, not a division.
  [[nodiscard]] std::uint64_t chunk_of(std::uint64_t offset) const { return offset >> chunk_bits_; }
  [[nodiscard]] std::uint64_t within(std::uint64_t offset) const { return offset & (chunk_bytes() - 1); }
  [[nodiscard]] std::size_t chunk_bytes() const { return std::size_t{1} << chunk_bits_; }

  unsigned chunk_bits_;
  std::pmr::memory_resource* memory_;
  std::vector<Chunk> chunks_;  // few, for each is large
  std::vector<Chunk> spare_;   // at most one: the next chunk to be used
  std::uint64_t first_chunk_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace recmeter
