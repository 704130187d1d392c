#include "file/avro_codec.h"

#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

constexpr std::size_t step_bytes = std::size_t{256} << 10;
constexpr std::array<std::string_view, 5> codecs{"", "null", "deflate", "zstandard", "snappy"};

// Calls `unpack` with room for more until it says that all is there. It returns how many bytes it made; nothing: it failed.
template <class Unpack>
bool in_steps(std::vector<char>& to, const Unpack& unpack) {
  const std::size_t begin = to.size();
  for (bool more = true; more;) {
    const std::size_t size = to.size();
    const std::size_t room = std::min(step_bytes, avro_block_bytes_max + 1 - (size - begin));
    if (room == 0) return false;
    to.resize(size + room);
    const std::optional<std::size_t> made = unpack(to.data() + size, room, more);
    if (!made) return false;
    to.resize(size + *made);
  }
  return to.size() - begin <= avro_block_bytes_max;
}

// Without zlib's header.
bool inflate_raw(std::string_view stored, std::vector<char>& to) {
  z_stream zlib{};
  RECMETER_CHECK(inflateInit2(&zlib, -MAX_WBITS) == Z_OK, "zlib cannot start: out of memory");
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));  // it is not written to
  zlib.avail_in = static_cast<uInt>(stored.size());
  const bool is_whole = in_steps(to, [&](char* into, std::size_t room, bool& more) -> std::optional<std::size_t> {
    zlib.next_out = reinterpret_cast<Bytef*>(into);
    zlib.avail_out = static_cast<uInt>(room);
    const int status = inflate(&zlib, Z_NO_FLUSH);
    more = status == Z_OK && (zlib.avail_in > 0 || zlib.avail_out == 0);
    if (status != Z_STREAM_END && !more) return std::nullopt;
    return room - zlib.avail_out;
  });
  inflateEnd(&zlib);
  return is_whole;
}

bool unpack_zstd(std::string_view stored, std::vector<char>& to) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  RECMETER_CHECK(context != nullptr, "zstd cannot start: out of memory");
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  return in_steps(to, [&](char* into, std::size_t room, bool& more) -> std::optional<std::size_t> {
    ZSTD_outBuffer out{into, room, 0};
    const std::size_t status = ZSTD_decompressStream(context.get(), &out, &in);
    more = status != 0 || in.pos < in.size;
    if (ZSTD_isError(status) != 0U || (more && in.pos == in.size && out.pos == 0)) return std::nullopt;
    return out.pos;
  });
}

// Behind it stands the CRC-32 of the data, in four bytes of which the first is the highest.
bool unpack_snappy(std::string_view stored, std::vector<char>& to) {
  if (stored.size() < 4) return false;
  const std::string_view packed = stored.substr(0, stored.size() - 4);
  std::size_t size = 0;
  if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &size) || size > avro_block_bytes_max) return false;
  const std::size_t begin = to.size();
  to.resize(begin + size);
  if (!snappy::RawUncompress(packed.data(), packed.size(), to.data() + begin)) return false;
  std::size_t sum = 0;
  for (const char byte : stored.substr(packed.size())) sum = sum << 8U | static_cast<unsigned char>(byte);
  return sum == crc32(0, reinterpret_cast<const Bytef*>(to.data() + begin), static_cast<uInt>(size));
}

}  // namespace

bool is_avro_codec(std::string_view name) {
  return std::ranges::find(codecs, name) != codecs.end();
}

bool unpack_avro(std::string_view codec, std::string_view stored, std::vector<char>& to) {
  if (codec == "deflate") return inflate_raw(stored, to);
  if (codec == "zstandard") return unpack_zstd(stored, to);
  if (codec == "snappy") return unpack_snappy(stored, to);
  if (stored.size() > avro_block_bytes_max) return false;
  to.insert(to.end(), stored.begin(), stored.end());
  return true;
}

}  // namespace recmeter::file
