#include "config/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace recmeter::config {
namespace {

TEST(Duration, is_a_whole_number_and_a_unit) {
  EXPECT_EQ(parse_duration("250ms")->ms, 250);
  EXPECT_EQ(parse_duration("30s")->ms, 30'000);
  EXPECT_EQ(parse_duration("5m")->ms, 300'000);
  EXPECT_EQ(parse_duration("1h")->ms, 3'600'000);
  EXPECT_EQ(parse_duration("7d")->ms, 604'800'000);
  EXPECT_EQ(parse_duration("0s")->ms, 0);
  EXPECT_EQ(parse_duration("10000d"), duration_max);
  for (const char* text :
       {"", "s", "1", "1 s", "1.5h", "1h30m", "-1s", "+1s", "1e3s", "10001d", "9999999999999999999d", "1S", "1w", "1s "}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

TEST(Duration, is_written_in_its_largest_whole_unit) {
  for (const char* text : {"0s", "1ms", "90s", "30m", "1h", "7d", "36h", "1001ms"})
    EXPECT_EQ(text_of(*parse_duration(text)), text);
  EXPECT_EQ(text_of(Duration{60'000}), "1m");
}

TEST(Size, is_a_whole_number_and_a_binary_unit) {
  EXPECT_EQ(*parse_size("512B"), 512U);
  EXPECT_EQ(*parse_size("1KiB"), 1024U);
  EXPECT_EQ(*parse_size("64MiB"), std::uint64_t{64} << 20);
  EXPECT_EQ(*parse_size("1TiB"), std::uint64_t{1} << 40);
  for (const char* text : {"", "1", "1MB", "1.5MiB", "-1B", "1025TiB", "1 MiB"})
    EXPECT_FALSE(parse_size(text).has_value()) << text;
  EXPECT_EQ(text_of_size(std::uint64_t{64} << 20), "64MiB");
  EXPECT_EQ(text_of_size(1025), "1025B");
}

TEST(Integer, is_decimal_digits_and_nothing_else) {
  EXPECT_EQ(*parse_integer("0"), 0);
  EXPECT_EQ(*parse_integer("-7"), -7);
  EXPECT_EQ(*parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "-", "+1", "1_000", "1,000", "0x1", "1.0", "1e3", " 1", "9223372036854775808"}) {
    EXPECT_FALSE(parse_integer(text).has_value()) << text;
  }
}

TEST(Number, is_finite_decimal) {
  EXPECT_EQ(*parse_number("0.5"), 0.5);
  EXPECT_EQ(*parse_number("-3"), -3);
  EXPECT_EQ(*parse_number("1e-3"), 0.001);
  EXPECT_FALSE(std::signbit(*parse_number("-0")));
  for (const char* text : {"", "nan", "inf", ".inf", "1e999", "0x1p3", "1,5", "1.5x", "+1", " 1"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(Time, is_rfc3339_with_an_offset) {
  EXPECT_EQ(parse_time("2023-11-14T22:14:00Z")->ms, 1'700'000'040'000);
  EXPECT_EQ(parse_time("2023-11-15T00:14:00+02:00")->ms, 1'700'000'040'000);
  EXPECT_EQ(parse_time("2023-11-14T22:14:00.1239Z")->ms, 1'700'000'040'123);
  EXPECT_EQ(parse_time("2016-12-31T23:59:60Z")->ms, 1'483'228'800'000);  // a leap second, as records write it
  for (const char* text : {"", "2023-11-14", "2023-11-14T22:14:00", "2023-02-29T00:00:00Z", "2023-11-14T24:00:00Z",
                           "1979-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "2023-11-14T22:14:00.Z", "2023-11-14 22:14:00Z",
                           "2023-11-14T22:14:00+2:00", "2023-11-14T22:14:60Z"}) {
    EXPECT_FALSE(parse_time(text).has_value()) << text;
  }
}

TEST(Quoted, shows_long_and_odd_texts_safely) {
  EXPECT_EQ(config::in_quotes("a\nb"), "`a?b`");
  const std::string shown = config::in_quotes(std::string(59, 'a') + "éé");
  EXPECT_EQ(shown, "`" + std::string(59, 'a') + "…`");
}

}  // namespace
}  // namespace recmeter::config
