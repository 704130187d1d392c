#include "gzip_file.h"

#include <zlib.h>

#include <utility>
#include <vector>

namespace recmeter::conformance {

std::optional<std::string> whole_file(const std::string& path) {
  gzFile in = gzopen(path.c_str(), "rb");
  if (in == nullptr) return std::nullopt;
  gzbuffer(in, 1U << 18);
  std::string bytes;
  std::vector<char> block(1U << 20);
  int size = 0;
  while ((size = gzread(in, block.data(), static_cast<unsigned>(block.size()))) > 0) {
    bytes.append(block.data(), static_cast<std::size_t>(size));
  }
  const bool whole = gzclose(in) == Z_OK && size == 0;
  return whole ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace recmeter::conformance
