// SpillMemory: memory for what is kept long and seldom looked at. Large pieces beyond its share lie in a file without a name,
// which the process maps: what is in use is in memory, the rest on disk, and nothing of it outlives the program.
//
// A page let go of is read again when it is touched. So what lives here costs time when it is cold, and never an error: where
// the file cannot grow, pieces are taken from the heap, over the share. A disk that fails while a page is read or written
// ends the process (SIGBUS), as any failure of the state's own disk does.
//
// Thread safety: allocation by any thread; trim() by one, at any time. Errors of create(): output_failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::file {

class SpillMemory final : public std::pmr::memory_resource {
 public:
  // Pieces smaller than this always lie in the heap.
  static constexpr std::size_t piece_min = std::size_t{1} << 16;

  // The file lies in `directory`. `share`: bytes of large pieces that may be in memory, half of them in the heap.
  [[nodiscard]] static Result<std::unique_ptr<SpillMemory>> create(const std::string& directory, std::uint64_t share);
  SpillMemory(const SpillMemory&) = delete;
  SpillMemory& operator=(const SpillMemory&) = delete;
  // Requires: all pieces have been given back.
  ~SpillMemory() override;

  // Lets go of the file's pages when more of them than the share allows are in the process's memory.
  void trim();
  // Of pieces that lie in the file.
  [[nodiscard]] std::uint64_t spilled_bytes() const;

 private:
  SpillMemory(int file, int residency, std::byte* base, std::uint64_t share);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  // nullptr: the file cannot grow.
  std::byte* take_extent(std::uint64_t bytes);
  void give_back_extent(std::uint64_t offset, std::uint64_t bytes);
  [[nodiscard]] bool is_mapped(const void* piece) const;
  // Pages of files in the process's memory, those of the program itself among them; none where the system does not say: then
  // every trim() lets go.
  [[nodiscard]] std::optional<std::uint64_t> resident_file_bytes() const;

  int file_;
  int residency_;    // /proc/self/statm
  std::byte* base_;  // where the file is mapped
  std::uint64_t heap_share_;
  std::uint64_t file_share_;
  std::uint64_t program_bytes_ = 0;  // of files in memory when nothing of this one was
  mutable std::mutex mutex_;         // guards what follows
  std::uint64_t in_heap_ = 0;
  std::uint64_t in_file_ = 0;
  std::uint64_t end_ = 0;                         // of the file
  std::map<std::uint64_t, std::uint64_t> holes_;  // offset -> bytes; no two of them touch
};

}  // namespace recmeter::file
