// WideHash: XXH3-128 of numbers. That two different rows of numbers share one is less likely than a memory fault by many
// orders of magnitude. Not for output: numbers are hashed as this machine holds them.
#pragma once

#include <cstdint>
#include <span>

namespace recmeter {

struct WideHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const WideHash&, const WideHash&) = default;
};

[[nodiscard]] WideHash wide_hash(std::span<const std::uint32_t> numbers, std::uint64_t seed) noexcept;

}  // namespace recmeter
