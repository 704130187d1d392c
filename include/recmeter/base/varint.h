// Integers of seven bits a byte, the lowest first; each byte but the last has its high bit set. LEB128, as Avro and Protobuf
// write it. Pure; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace recmeter {

// Takes an integer of one to eight bytes from `at`, where eight are readable. False: it is longer, and `at` stays.
[[nodiscard]] inline bool take_short_varint(const char*& at, std::uint64_t& value) {
  static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t ends = ~word & 0x8080808080808080U;
  if (ends == 0) return false;
  at += std::countr_zero(ends) / 8 + 1;
  word &= (ends ^ (ends - 1)) & 0x7F7F7F7F7F7F7F7FU;
  // Side by side: two of seven bits, two of fourteen, two of twenty-eight.
  word = (word & 0x007F007F007F007FU) | (word & 0x7F007F007F007F00U) >> 1U;
  word = (word & 0x00003FFF00003FFFU) | (word & 0x3FFF00003FFF0000U) >> 2U;
  value = (word & 0x000000000FFFFFFFU) | (word & 0x0FFFFFFF00000000U) >> 4U;
  return true;
}

}  // namespace recmeter
