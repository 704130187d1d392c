// ByteBlock: 64 bytes that are looked at together, so that many short texts are found without a branch for each byte.
//
// Bit i of an answer is of the i-th byte. Thread safety: as a value.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace recmeter {

class ByteBlock {
 public:
  static constexpr std::size_t size = 64;

  // Requires: `size` bytes are readable at `at`, and outlive the block.
  explicit ByteBlock(const char* at) : at_(at) {}

  [[nodiscard]] std::uint64_t equal_to(char byte) const {
    return gather([byte](const char* part) { return equal_to(byte, part); });
  }
  [[nodiscard]] std::uint64_t not_ascii() const {
    return gather([](const char* part) { return not_ascii(part); });
  }
  [[nodiscard]] bool is_ascii() const {
    auto all = loaded(at_);
    for (std::size_t at = part_bytes; at < size; at += part_bytes) all |= loaded(at_ + at);
    return high_bits(all) == 0;
  }
  // The bits of the first `count` bytes. Requires: count <= size.
  [[nodiscard]] static constexpr std::uint64_t first(std::size_t count) {
    return count == size ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

 private:
#if defined(__SSE2__)
  static constexpr std::size_t part_bytes = 16;
  [[nodiscard]] static __m128i loaded(const char* part) {
    __m128i bytes;
    std::memcpy(&bytes, part, sizeof bytes);
    return bytes;
  }
  [[nodiscard]] static std::uint64_t equal_to(char byte, const char* part) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(loaded(part), _mm_set1_epi8(byte))));
  }
  [[nodiscard]] static std::uint64_t high_bits(__m128i bytes) { return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes)); }
  [[nodiscard]] static std::uint64_t not_ascii(const char* part) { return high_bits(loaded(part)); }
#else
  static constexpr std::size_t part_bytes = 8;
  static constexpr std::uint64_t ones = 0x0101010101010101U, lows = 0x7F7F7F7F7F7F7F7FU;
  static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");
  [[nodiscard]] static std::uint64_t loaded(const char* part) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, part, sizeof bytes);
    return bytes;
  }
  // The high bit of each byte, side by side.
  [[nodiscard]] static std::uint64_t high_bits(std::uint64_t bytes) {
    return ((bytes & ~lows) >> 7U) * 0x0102040810204080U >> 56U;
  }
  [[nodiscard]] static std::uint64_t equal_to(char byte, const char* part) {
    const std::uint64_t bytes = loaded(part) ^ ones * static_cast<unsigned char>(byte);
    return high_bits(~(((bytes & lows) + lows) | bytes));
  }
  [[nodiscard]] static std::uint64_t not_ascii(const char* part) { return high_bits(loaded(part)); }
#endif

  template <class Look>
  [[nodiscard]] std::uint64_t gather(Look look) const {
    std::uint64_t bits = 0;
    for (std::size_t at = 0; at < size; at += part_bytes) bits |= look(at_ + at) << at;
    return bits;
  }

  const char* at_;
};

// Which of the up to ByteBlock::size bytes of `text` from `begin` on are `byte`; none beyond the text is read.
// Requires: begin < text.size().
[[nodiscard]] inline std::uint64_t equal_bytes(std::string_view text, std::size_t begin, char byte) {
  const std::size_t count = text.size() - begin;
  if (count >= ByteBlock::size) return ByteBlock(text.data() + begin).equal_to(byte);
  if (text.size() >= ByteBlock::size) {
    return ByteBlock(text.data() + text.size() - ByteBlock::size).equal_to(byte) >> (ByteBlock::size - count);
  }
  std::array<char, ByteBlock::size> copy{};
  text.copy(copy.data(), count, begin);
  return ByteBlock(copy.data()).equal_to(byte) & ByteBlock::first(count);
}

}  // namespace recmeter
