// ScratchFile: bytes that need not outlive the program, kept out of its memory: a file without a name, so that it is gone
// when the program is, however that ends.
//
// Thread safety: append() by one thread, while no other reads; read() from any. Errors: output_failed, with the remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"

namespace recmeter::file {

class ScratchFile {
 public:
  // In $TMPDIR; `remedy`: what gives room, for messages.
  [[nodiscard]] static Result<std::shared_ptr<ScratchFile>> create(std::string_view remedy);
  [[nodiscard]] static Result<std::shared_ptr<ScratchFile>> create(std::string directory, std::string_view remedy);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  // Returns where the bytes begin.
  [[nodiscard]] Result<std::uint64_t> append(std::span<const char> bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Fills `into`. Requires: as many bytes stand there.
  [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<char> into) const;

 private:
  ScratchFile(int descriptor, std::string directory, std::string_view remedy)
      : descriptor_(descriptor), directory_(std::move(directory)), remedy_(remedy) {}

  int descriptor_;
  std::string directory_;
  std::string remedy_;
  std::uint64_t size_ = 0;
};

}  // namespace recmeter::file
