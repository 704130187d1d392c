// HashedText: a string and its hash. Whoever reads a text first makes the hash, so that those who look it up later can fetch
// what they will find before they need it.
#pragma once

#include <cstdint>
#include <string_view>

namespace recmeter {

// The low bits of XXH3-64.
[[nodiscard]] std::uint32_t hash_text(std::string_view text) noexcept;

// A view. Invariant: hash == hash_text(text).
struct HashedText {
  std::string_view text;
  std::uint32_t hash;
};

}  // namespace recmeter
