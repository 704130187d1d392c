#include "app/run/pace.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter {
namespace {

TEST(Speed, is_a_multiple_or_as_fast_as_it_goes) {
  ASSERT_TRUE(parse_speed("max"));
  EXPECT_FALSE(parse_speed("max")->factor);
  for (const auto& [text, factor] : {std::pair("1x", 1.0), {"60x", 60.0}, {"0.5x", 0.5}, {"3600x", 3600.0}}) {
    const auto speed = parse_speed(text);
    ASSERT_TRUE(speed && speed->factor) << text;
    EXPECT_EQ(*speed->factor, factor);
  }
}

TEST(Speed, is_nothing_else) {
  for (const std::string text :
       {"", "x", "60", "0x", "-1x", "1e3x", "nanx", "infx", "60 x", "60xx", "Max", "0.0001x", "1e9x"}) {
    EXPECT_FALSE(parse_speed(text)) << text;
  }
}

TEST(Pace, lets_event_time_run_so_many_times_as_fast) {
  double now = 1'000'000;
  Pace pace(60, [&] { return now; });
  const EventTime first{1'700'000'000'000};
  EXPECT_EQ(pace.ahead(first, first), 0);
  EXPECT_EQ(pace.ahead(first, first + Duration{60'000}), 1000);
  now += 400;
  EXPECT_EQ(pace.ahead(first, first + Duration{60'000}), 600);
  now += 10'000;
  EXPECT_EQ(pace.ahead(first, first + Duration{60'000}), 0) << "what is behind is not waited for";
}

TEST(Pace, waits_for_nothing_before_there_are_events) {
  double now = 5;
  Pace pace(1, [&] { return now; });
  EXPECT_EQ(pace.ahead(plus_infinity, minus_infinity), 0);
  now = 100;
  EXPECT_EQ(pace.ahead(EventTime{0}, EventTime{250}), 155) << "both clocks began with the first question";
}

}  // namespace
}  // namespace recmeter
