#include "file/gzip_stream.h"

#include <algorithm>
#include <utility>

#include "file/packing.h"
#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

constexpr std::size_t packed_bytes = std::size_t{64} << 10;
constexpr std::size_t step_bytes_max = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int gzip_only = 16 + MAX_WBITS;

}  // namespace

GzipStream::GzipStream(StoredFile& from) : from_(from), packed_(packed_bytes) {
  RECMETER_CHECK(inflateInit2(&zlib_, gzip_only) == Z_OK, "zlib cannot start: out of memory");
}

GzipStream::~GzipStream() {
  inflateEnd(&zlib_);
}

Result<std::size_t> GzipStream::read(char* into, std::size_t capacity) {
  const auto room = static_cast<uInt>(std::min(capacity, step_bytes_max));
  zlib_.next_out = reinterpret_cast<Bytef*>(into);
  zlib_.avail_out = room;
  while (zlib_.avail_out == room) {
    // While zlib holds output back it has not taken the member's trailer, so running out of input never hides output.
    if (zlib_.avail_in == 0) {
      auto got = from_.read(packed_.data(), packed_.size());
      if (!got) return got;
      if (*got == 0) {
        if (in_member_) return ends_early(Packing::gzip, from_.name(), offset());
        return std::size_t{0};
      }
      zlib_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      zlib_.avail_in = static_cast<uInt>(*got);
    }
    const bool was_in_member = std::exchange(in_member_, true);
    if (!was_in_member && !first_member_ && *zlib_.next_in != 0x1f) return is_followed(Packing::gzip, from_.name(), offset());
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      in_member_ = first_member_ = false;
      inflateReset(&zlib_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      RECMETER_CHECK(status != Z_MEM_ERROR && status != Z_STREAM_ERROR, "zlib out of memory or misused");
      return is_damaged(Packing::gzip, zlib_.msg == nullptr ? "it needs a dictionary" : zlib_.msg, from_.name(), offset());
    }
  }
  return room - zlib_.avail_out;
}

}  // namespace recmeter::file
