#include "recmeter/base/byte_log.h"

#include <algorithm>
#include <bit>

#include "recmeter/base/check.h"

namespace recmeter {

ByteLog::ByteLog(std::size_t record_bytes_max, std::pmr::memory_resource* memory)
    : chunk_bytes_(std::bit_ceil(std::max<std::size_t>(record_bytes_max + 8, std::size_t{1} << 18))), memory_(memory) {}

std::uint64_t ByteLog::append(std::size_t size) {
  size = (size + 3) & ~std::size_t{3};
  RECMETER_CHECK(size <= chunk_bytes_, "a record larger than promised");
  if (end_ % chunk_bytes_ + size > chunk_bytes_) end_ = (end_ / chunk_bytes_ + 1) * chunk_bytes_;
  while ((end_ + size + chunk_bytes_ - 1) / chunk_bytes_ > first_chunk_ + chunks_.size()) {
    if (spare_.empty()) {
      chunks_.push_back(Chunk(static_cast<std::byte*>(memory_->allocate(chunk_bytes_)), GiveBack{memory_, chunk_bytes_}));
    } else {
      chunks_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
  }
  const std::uint64_t offset = end_;
  end_ += size;
  return offset;
}

void ByteLog::forget_before(std::uint64_t offset) {
  while (!chunks_.empty() && (first_chunk_ + 1) * chunk_bytes_ <= offset) {
    if (spare_.empty()) spare_.push_back(std::move(chunks_.front()));
    chunks_.pop_front();
    ++first_chunk_;
  }
}

}  // namespace recmeter
