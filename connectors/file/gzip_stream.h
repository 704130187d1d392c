// GzipStream: unpacks gzip, member after member.
//
// Thread safety: none. `from` outlives it. Checks every member's length and checksum.
#pragma once

#include <zlib.h>

#include <vector>

#include "file/byte_stream.h"
#include "file/stored_file.h"

namespace recmeter::file {

class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(StoredFile& from);
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override;

  [[nodiscard]] Result<std::size_t> read(char* into, std::size_t capacity) override;

 private:
  [[nodiscard]] std::uint64_t offset() const { return from_.offset() - zlib_.avail_in; }

  StoredFile& from_;
  std::vector<char> packed_;
  z_stream zlib_{};
  bool in_member_ = false;
  bool first_member_ = true;
};

}  // namespace recmeter::file
