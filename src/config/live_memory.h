// What an attach makes of state.memory.
#pragma once

#include <algorithm>
#include <cstdint>

namespace recmeter {

struct LiveMemory {
  std::uint64_t store;   // buffers and cache; the journal is written and hardly read
  std::uint64_t joined;  // lists and feedback
  std::uint64_t unkept;  // AttachOptions::unkept_bytes_max
};

[[nodiscard]] constexpr LiveMemory live_memory(std::uint64_t state_memory) {
  constexpr std::uint64_t mebibyte = 1U << 20U;
  const std::uint64_t store = std::clamp(state_memory / 4, 8 * mebibyte, 64 * mebibyte);
  return {
      .store = store, .joined = state_memory - store, .unkept = std::clamp(state_memory / 32, 4 * mebibyte, 32 * mebibyte)};
}

}  // namespace recmeter
