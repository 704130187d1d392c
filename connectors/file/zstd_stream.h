// ZstdStream: unpacks zstd, frame after frame; skippable frames are passed over.
//
// Thread safety: none. `from` outlives it. Memory: the frame's window, at most 128 MiB.
#pragma once

#include <zstd.h>

#include <memory>
#include <vector>

#include "file/byte_stream.h"
#include "file/stored_file.h"

namespace recmeter::file {

class ZstdStream final : public ByteStream {
 public:
  explicit ZstdStream(StoredFile& from);

  [[nodiscard]] Result<std::size_t> read(char* into, std::size_t capacity) override;

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };
  [[nodiscard]] std::uint64_t offset() const { return from_.offset() - (in_.size - in_.pos); }
  [[nodiscard]] tl::unexpected<Error> refused(std::size_t status, bool between_frames) const;

  StoredFile& from_;
  std::vector<char> packed_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  ZSTD_inBuffer in_{};
  bool in_frame_ = false;
  bool first_frame_ = true;
  std::uint64_t frame_start_ = 0;  // in the stored form
  bool holds_output_ = false;      // the last call stopped for want of room, perhaps with all input taken
};

}  // namespace recmeter::file
