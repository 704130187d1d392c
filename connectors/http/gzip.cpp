#include "http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "recmeter/base/check.h"

namespace recmeter::http {

namespace {

constexpr int with_gzip_header = 16 + MAX_WBITS;
constexpr int memory_level = 8;
constexpr std::size_t step_bytes_max = std::size_t{1} << 30;  // zlib counts in 32 bits

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream = {};
  RECMETER_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, with_gzip_header, memory_level, Z_DEFAULT_STRATEGY) == Z_OK,
                 "zlib cannot start: out of memory");
  // zlib's bound holds for all of it, so that room never runs out.
  RECMETER_CHECK(text.size() < std::numeric_limits<uInt>::max() - step_bytes_max, "a response is never that large");
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  RECMETER_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib's bound is too small");
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace recmeter::http
