#include "recmeter/base/byte_block.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>

namespace recmeter {
namespace {

TEST(ByteBlock, finds_each_byte_where_it_stands_and_nowhere_else) {
  std::mt19937 random(1);
  std::array<char, ByteBlock::size> bytes;
  for (int round = 0; round < 2000; ++round) {
    // Few different ones, near each other and on both sides of 0x80: neighbours must not be taken for each other.
    const std::uint32_t base = random() % 256, spread = round % 2 == 0 ? 3 : 256;
    for (char& byte : bytes) byte = static_cast<char>(base + random() % spread);
    const char wanted = static_cast<char>(base + random() % 3);
    std::uint64_t equal = 0, not_ascii = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      equal |= std::uint64_t{bytes[i] == wanted ? 1U : 0U} << i;
      not_ascii |= std::uint64_t{static_cast<unsigned char>(bytes[i]) >= 0x80 ? 1U : 0U} << i;
    }
    ASSERT_EQ(ByteBlock(bytes.data()).equal_to(wanted), equal);
    ASSERT_EQ(ByteBlock(bytes.data()).not_ascii(), not_ascii);
    ASSERT_EQ(ByteBlock(bytes.data()).is_ascii(), not_ascii == 0);
  }
}

TEST(ByteBlock, finds_bytes_of_a_text_of_any_length_and_reads_none_beyond) {
  std::mt19937 random(2);
  for (std::size_t size = 1; size < 200; ++size) {
    const auto text = std::make_unique<char[]>(size);  // on the heap, where a sanitizer sees its end
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(random() % 3);
    for (std::size_t begin = 0; begin < size; ++begin) {
      std::uint64_t equal = 0;
      for (std::size_t i = begin; i < size && i < begin + 64; ++i)
        equal |= std::uint64_t{text[i] == 1 ? 1U : 0U} << (i - begin);
      ASSERT_EQ(equal_bytes({text.get(), size}, begin, 1), equal) << size << " from " << begin;
    }
  }
}

TEST(ByteBlock, knows_the_bits_of_its_first_bytes) {
  EXPECT_EQ(ByteBlock::first(0), 0U);
  EXPECT_EQ(ByteBlock::first(5), 31U);
  EXPECT_EQ(ByteBlock::first(64), ~std::uint64_t{0});
}

}  // namespace
}  // namespace recmeter
