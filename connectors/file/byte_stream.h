// ByteStream: the bytes of an input as they were before it was packed.
//
// Thread safety: none.
#pragma once

#include <cstddef>

#include "recmeter/base/result.h"

namespace recmeter::file {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next bytes, at least one and at most `capacity`; 0 at the end. Requires: capacity > 0.
  [[nodiscard]] virtual Result<std::size_t> read(char* into, std::size_t capacity) = 0;
};

}  // namespace recmeter::file
