#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "recmeter/result/render.h"
#include "support/parsed_json.h"

namespace recmeter {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_number(double number) {
  std::string out;
  append_json_number(out, number);
  return out;
}

TEST(JsonString, escapes_what_json_demands_and_nothing_else) {
  EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string_view("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(json_string("é \u2028 \u2029 日本 😀"), "\"é \u2028 \u2029 日本 😀\"");
  EXPECT_EQ(json_string(""), "\"\"");
}

TEST(JsonString, reads_back_every_code_point) {
  for (char32_t value = 0; value < 0x11000; value += value < 0x3000 ? 1 : 97) {
    if (value >= 0xd800 && value < 0xe000) continue;
    std::string text = "<";
    if (value < 0x80) {
      text += static_cast<char>(value);
    } else if (value < 0x800) {
      text += {static_cast<char>(0xc0 | (value >> 6)), static_cast<char>(0x80 | (value & 0x3f))};
    } else if (value < 0x10000) {
      text += {static_cast<char>(0xe0 | (value >> 12)), static_cast<char>(0x80 | ((value >> 6) & 0x3f)),
               static_cast<char>(0x80 | (value & 0x3f))};
    } else {
      text += {static_cast<char>(0xf0 | (value >> 18)), static_cast<char>(0x80 | ((value >> 12) & 0x3f)),
               static_cast<char>(0x80 | ((value >> 6) & 0x3f)), static_cast<char>(0x80 | (value & 0x3f))};
    }
    text += ">";
    ASSERT_EQ(support::parsed_json(json_string(text)).get<std::string>(), text) << static_cast<unsigned>(value);
  }
}

// A path may hold any bytes, and what is written must stay JSON.
TEST(JsonString, replaces_bytes_that_are_no_utf8) {
  for (const auto& [bytes, shown] :
       std::vector<std::pair<std::string, std::string>>{{"a\xff"
                                                         "b",
                                                         "a\ufffdb"},
                                                        {"\xc3", "\ufffd"},
                                                        {"\xc3(", "\ufffd("},
                                                        {"\xe2\x82", "\ufffd\ufffd"},
                                                        {"\xc0\x80", "\ufffd\ufffd"},
                                                        {"\xe0\x80\x80", "\ufffd\ufffd\ufffd"},
                                                        {"\xf0\x80\x80\x80", "\ufffd\ufffd\ufffd\ufffd"},
                                                        {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
                                                        {"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"},
                                                        {"\xf8\x88\x80\x80\x80", "\ufffd\ufffd\ufffd\ufffd\ufffd"}}) {
    EXPECT_EQ(support::parsed_json(json_string(bytes)).get<std::string>(), shown);
  }
}

TEST(JsonNumber, is_the_shortest_that_reads_back) {
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(0.0251), "0.0251");
  EXPECT_EQ(json_number(5120), "5120");
  EXPECT_EQ(json_number(1), "1");
  EXPECT_EQ(json_number(0), "0");
  EXPECT_EQ(json_number(0.0006), "0.0006");
  EXPECT_EQ(json_number(1e6), "1000000");
  EXPECT_EQ(json_number(9007199254740992), "9007199254740992");
  EXPECT_EQ(json_number(0.000001), "0.000001");
  EXPECT_EQ(json_number(9e-7), "9e-07");
  EXPECT_EQ(json_number(1e16), "1e+16");
  EXPECT_EQ(json_number(1.0 / 3), "0.3333333333333333");
}

TEST(JsonNumber, reads_back_the_same_bits) {
  std::vector<double> numbers{0.0,
                              -0.0,
                              5e-324,
                              std::numeric_limits<double>::min(),
                              std::numeric_limits<double>::max(),
                              -std::numeric_limits<double>::max(),
                              1e21,
                              1e-7,
                              123456789012345680.0};
  std::mt19937_64 bits(7);
  for (int i = 0; i < 5000; ++i) numbers.push_back(std::ldexp(static_cast<double>(bits() >> 11U), -(i % 90)));
  while (numbers.size() < 20'000) {
    const auto number = std::bit_cast<double>(bits());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  for (const double number : numbers) {
    const std::string text = json_number(number);
    ASSERT_TRUE(nlohmann::json::accept(text)) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), std::bit_cast<std::uint64_t>(number)) << text;
  }
}

TEST(JsonNumber, refuses_what_json_cannot_say) {
  EXPECT_DEATH(json_number(std::numeric_limits<double>::quiet_NaN()), "infinity or NaN");
  EXPECT_DEATH(json_number(std::numeric_limits<double>::infinity()), "infinity or NaN");
}

TEST(RenderDuration, uses_the_largest_whole_unit) {
  for (const auto& [ms, text] : std::vector<std::pair<std::int64_t, std::string>>{{1'800'000, "30m"},
                                                                                  {90'000, "90s"},
                                                                                  {3'600'000, "1h"},
                                                                                  {5'400'000, "90m"},
                                                                                  {250, "250ms"},
                                                                                  {1'001, "1001ms"},
                                                                                  {86'400'000, "1d"},
                                                                                  {604'800'000, "7d"},
                                                                                  {90'000'000, "25h"},
                                                                                  {0, "0s"},
                                                                                  {-60'000, "-1m"}}) {
    EXPECT_EQ(render_duration({ms}), text);
    EXPECT_EQ(duration_from(text), Duration{ms});
  }
}

TEST(RenderUtc, writes_the_calendar) {
  for (const auto& [ms, text] :
       std::vector<std::pair<std::int64_t, std::string>>{{1'700'000'040'000, "2023-11-14T22:14:00Z"},
                                                         {1'700'000'040'007, "2023-11-14T22:14:00.007Z"},
                                                         {0, "1970-01-01T00:00:00Z"},
                                                         {-1, "1969-12-31T23:59:59.999Z"},
                                                         {951'782'400'000, "2000-02-29T00:00:00Z"},
                                                         {event_time_min.ms, "1980-01-01T00:00:00Z"},
                                                         {event_time_end.ms - 1, "2199-12-31T23:59:59.999Z"}}) {
    EXPECT_EQ(render_utc({ms}), text);
  }
}

}  // namespace
}  // namespace recmeter
