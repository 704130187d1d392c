// ItemPopularity: which of n things is drawn when the r-th has weight r^-s (Zipf), in constant time by Walker's alias method
// as Vose builds it.
//
// Thread safety: immutable. Memory: 8 bytes a thing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/generate/random_stream.h"

namespace recmeter::generate {

class ItemPopularity {
 public:
  // Requires: 0 < count < 2^32.
  ItemPopularity(std::size_t count, double exponent);

  // In [0, count); 0 is the most popular.
  [[nodiscard]] std::uint32_t draw(RandomStream& random) const noexcept {
    const std::uint64_t bits = random.next();
    const Cell& cell = cells_[((bits >> 32) * cells_.size()) >> 32];
    // The low half is fresh: the index used the high one.
    return static_cast<std::uint32_t>(bits) < cell.own ? static_cast<std::uint32_t>(&cell - cells_.data()) : cell.alias;
  }

 private:
  struct Cell {
    std::uint32_t own;  // in units of 2^-32: the chance to stay
    std::uint32_t alias;
  };
  std::vector<Cell> cells_;
};

}  // namespace recmeter::generate
