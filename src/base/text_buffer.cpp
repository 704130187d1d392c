#include "recmeter/base/text_buffer.h"

#include <algorithm>
#include <utility>

namespace recmeter {

void TextBuffer::grow(std::size_t bytes) {
  const std::size_t capacity = std::max({bytes, capacity_ * 2, std::size_t{64}});
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

}  // namespace recmeter
