#include "recmeter/base/varint.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace recmeter {
namespace {

std::string written(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
  return bytes + static_cast<char>(value);
}

TEST(Varint, of_up_to_eight_bytes_is_read_whatever_stands_behind_it) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t value = random() >> (8 + random() % 56);  // of 56 bits or fewer
    std::string bytes = written(value);
    const std::size_t size = bytes.size();
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(random());
    const char* at = bytes.data();
    std::uint64_t read = 0;
    ASSERT_TRUE(take_short_varint(at, read));
    ASSERT_EQ(read, value);
    ASSERT_EQ(at, bytes.data() + size);
  }
}

TEST(Varint, may_be_written_longer_than_it_needs) {
  const std::string bytes("\x81\x80\x80\x80\x80\x80\x80\x00", 8);
  const char* at = bytes.data();
  std::uint64_t read = 0;
  ASSERT_TRUE(take_short_varint(at, read));
  EXPECT_EQ(read, 1U);
  EXPECT_EQ(at, bytes.data() + 8);
}

TEST(Varint, of_more_than_eight_bytes_is_left_where_it_is) {
  const std::string bytes = written(~std::uint64_t{0});
  const char* at = bytes.data();
  std::uint64_t read = 7;
  EXPECT_FALSE(take_short_varint(at, read));
  EXPECT_EQ(at, bytes.data());
}

}  // namespace
}  // namespace recmeter
