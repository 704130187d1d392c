#include "recmeter/base/byte_log.h"

#include <algorithm>
#include <bit>

#include "recmeter/base/check.h"

namespace recmeter {

ByteLog::ByteLog(std::size_t record_bytes_max, std::pmr::memory_resource* memory)
    : chunk_bits_(std::max(18U, static_cast<unsigned>(std::bit_width(record_bytes_max + 7)))), memory_(memory) {}

std::uint64_t ByteLog::append(std::size_t size) {
  size = (size + 3) & ~std::size_t{3};
  RECMETER_CHECK(size <= chunk_bytes(), "a record larger than promised");
  if (within(end_) + size > chunk_bytes()) end_ = (chunk_of(end_) + 1) << chunk_bits_;
  while (chunk_of(end_ + size + chunk_bytes() - 1) > first_chunk_ + chunks_.size()) {
    if (spare_.empty()) {
      chunks_.push_back(Chunk(static_cast<std::byte*>(memory_->allocate(chunk_bytes())), GiveBack{memory_, chunk_bytes()}));
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
  std::size_t passed = 0;
  for (; passed < chunks_.size() && first_chunk_ + passed < chunk_of(offset); ++passed) {
    if (spare_.empty()) spare_.push_back(std::move(chunks_[passed]));
  }
  if (passed == 0) return;
  chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(passed));
  first_chunk_ += passed;
}

}  // namespace recmeter
