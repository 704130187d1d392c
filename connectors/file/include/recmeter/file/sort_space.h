// SortSpace: what a sort may take of memory, and where its temporary file is.
#pragma once

#include <cstddef>
#include <string>

namespace recmeter::file {

struct SortSpace {
  static constexpr std::size_t memory_min = std::size_t{1} << 20;

  std::string directory;                        // "": $TMPDIR
  std::size_t memory = std::size_t{256} << 20;  // bytes; at least memory_min
};

}  // namespace recmeter::file
