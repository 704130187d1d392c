#include "unit/file/packed.h"

#include <zlib.h>
#include <zstd.h>

#include <memory>

#include "recmeter/base/check.h"

namespace recmeter::test {

std::string gzip(std::string_view content) {
  z_stream stream{};
  RECMETER_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib starts");
  std::string plain(content);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  RECMETER_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view content) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), content.data(), content.size());
  RECMETER_CHECK(ZSTD_isError(size) == 0U, "zstd packs");
  packed.resize(size);
  return packed;
}

std::string zstd_unchecked(std::string_view content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3);
  RECMETER_CHECK(ZSTD_isError(size) == 0U, "zstd packs");
  packed.resize(size);
  return packed;
}

std::string zstd_with_window(std::string_view content, int window_log) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log);
  std::string packed(ZSTD_compressBound(content.size()) + 64, '\0');
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  ZSTD_inBuffer in{content.data(), content.size(), 0};
  // In two steps, so that the size is unknown when the header is written and the window stays as asked.
  RECMETER_CHECK(ZSTD_isError(ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_flush)) == 0U, "zstd packs");
  RECMETER_CHECK(ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end) == 0, "zstd packs");
  packed.resize(out.pos);
  return packed;
}

}  // namespace recmeter::test
