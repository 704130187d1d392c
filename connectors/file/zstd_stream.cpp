#include "file/zstd_stream.h"

#include <fmt/format.h>
#include <zstd_errors.h>

#include "file/packing.h"
#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

constexpr int window_log_max = 27;  // 128 MiB: what `zstd -22 --ultra` writes, and the tool's own default limit

}  // namespace

ZstdStream::ZstdStream(StoredFile& from) : from_(from), packed_(ZSTD_DStreamInSize()), context_(ZSTD_createDCtx()) {
  RECMETER_CHECK(context_ != nullptr, "zstd cannot start: out of memory");
  const std::size_t status = ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log_max);
  RECMETER_CHECK(ZSTD_isError(status) == 0U, "zstd refuses its window limit");
}

tl::unexpected<Error> ZstdStream::refused(std::size_t status, bool between_frames) const {
  switch (ZSTD_getErrorCode(status)) {
    case ZSTD_error_frameParameter_windowTooLarge:
      return failure(Errc::input_unreadable,
                     fmt::format("the zstd input needs a window over 128 MiB; unpack it outside: zstd -dc --long=31 FILE | "
                                 "recmeter replay ... - : {}",
                                 from_.name()));
    case ZSTD_error_prefix_unknown:
      if (between_frames && !first_frame_) return is_followed(Packing::zstd, from_.name(), frame_start_);
      [[fallthrough]];
    default: return is_damaged(Packing::zstd, ZSTD_getErrorName(status), from_.name(), offset());
  }
}

Result<std::size_t> ZstdStream::read(char* into, std::size_t capacity) {
  ZSTD_outBuffer out{into, capacity, 0};
  while (out.pos == 0) {
    if (in_.pos == in_.size && !holds_output_) {
      auto got = from_.read(packed_.data(), packed_.size());
      if (!got) return got;
      in_ = {packed_.data(), *got, 0};
      if (*got == 0) {
        if (in_frame_) return ends_early(Packing::zstd, from_.name(), offset());
        return std::size_t{0};
      }
    }
    const bool was_in_frame = in_frame_;
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in_);
    if (ZSTD_isError(status) != 0U) return refused(status, !was_in_frame);
    in_frame_ = status != 0;
    if (!in_frame_) {
      first_frame_ = false;
      frame_start_ = offset();
    }
    holds_output_ = in_frame_ && out.pos == out.size;
  }
  return out.pos;
}

}  // namespace recmeter::file
