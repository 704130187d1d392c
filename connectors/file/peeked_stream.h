// PeekedStream: a stream of bytes whose beginning can be looked at before it is read.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "file/byte_stream.h"

namespace recmeter::file {

class PeekedStream final : public ByteStream {
 public:
  explicit PeekedStream(ByteStream& from) : from_(from) {}

  // The next `count` bytes, fewer only at the end of the stream; waits for them.
  [[nodiscard]] Result<std::string_view> peek(std::size_t count) {
    while (peeked_.size() < count) {
      const std::size_t before = peeked_.size();
      peeked_.resize(count);
      auto got = from_.read(peeked_.data() + before, count - before);
      peeked_.resize(before + got.value_or(0));
      if (!got) return tl::unexpected(got.error());
      if (*got == 0) break;
    }
    return std::string_view(peeked_);
  }

  [[nodiscard]] Result<std::size_t> read(char* into, std::size_t capacity) override {
    if (peeked_.empty()) return from_.read(into, capacity);
    const std::size_t count = std::min(capacity, peeked_.size());
    std::memcpy(into, peeked_.data(), count);
    peeked_.erase(0, count);
    return count;
  }

 private:
  ByteStream& from_;
  std::string peeked_;
};

}  // namespace recmeter::file
