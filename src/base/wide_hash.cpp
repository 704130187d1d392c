#include "recmeter/base/wide_hash.h"

#include <xxhash.h>

namespace recmeter {

WideHash wide_hash(std::span<const std::uint32_t> numbers, std::uint64_t seed) noexcept {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(numbers.data(), numbers.size_bytes(), seed);
  return {.high = hash.high64, .low = hash.low64};
}

}  // namespace recmeter
