#include "recmeter/event/event_time_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace recmeter {
namespace {

TEST(EventTimeText, floors_finer_units_also_below_zero) {
  EXPECT_EQ(event_time_from(1700000000123999, TimeUnit::microseconds), EventTime{1700000000123});
  EXPECT_EQ(event_time_from(1700000000123999999, TimeUnit::nanoseconds), EventTime{1700000000123});
  // One nanosecond before 1980 is floored to before 1980.
  EXPECT_EQ(event_time_from(315532799999999999, TimeUnit::nanoseconds), std::nullopt);
  EXPECT_EQ(event_time_from(-1, TimeUnit::microseconds), std::nullopt);
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:59.9999Z"), EventTime{-1});
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:59.0001Z"), EventTime{-1000});
}

TEST(EventTimeText, holds_the_range_in_every_unit) {
  struct Case {
    TimeUnit unit;
    std::int64_t per_second;
  };
  for (const Case c : {Case{TimeUnit::seconds, 1}, Case{TimeUnit::milliseconds, 1'000},
                       Case{TimeUnit::microseconds, 1'000'000}, Case{TimeUnit::nanoseconds, 1'000'000'000}}) {
    EXPECT_EQ(event_time_from(315532800 * c.per_second, c.unit), event_time_min);
    EXPECT_EQ(event_time_from(315532800 * c.per_second - 1, c.unit), std::nullopt);
    EXPECT_TRUE(event_time_from(7258118400 * c.per_second - 1, c.unit).has_value());
    EXPECT_EQ(event_time_from(7258118400 * c.per_second, c.unit), std::nullopt);
    EXPECT_EQ(event_time_from(std::numeric_limits<std::int64_t>::max(), c.unit), std::nullopt);
    EXPECT_EQ(event_time_from(std::numeric_limits<std::int64_t>::min(), c.unit), std::nullopt);
  }
}

TEST(EventTimeText, reads_rfc3339) {
  struct Case {
    const char* text;
    std::int64_t ms;
  };
  for (const Case c : {
           Case{"1970-01-01T00:00:00Z", 0},
           Case{"2023-11-14T22:13:20Z", 1700000000000},
           Case{"2023-11-14t22:13:20z", 1700000000000},
           Case{"2023-11-14T22:13:20.1Z", 1700000000100},
           Case{"2023-11-14T22:13:20.12Z", 1700000000120},
           Case{"2023-11-14T22:13:20.123Z", 1700000000123},
           Case{"2023-11-14T22:13:20.123999999999999999999Z", 1700000000123},
           Case{"2023-11-15T00:13:20+02:00", 1700000000000},
           Case{"2023-11-14T16:43:20-05:30", 1700000000000},
           Case{"2023-11-14T22:13:20-00:00", 1700000000000},
           Case{"2023-11-15T22:12:20+23:59", 1700000000000},
           Case{"2024-02-29T00:00:00Z", 1709164800000},
           Case{"2000-02-29T00:00:00Z", 951782400000},
           Case{"2199-12-31T23:59:59.999Z", 7258118399999},
           Case{"0000-01-01T00:00:00Z", -62167219200000},
       }) {
    EXPECT_EQ(parse_rfc3339(c.text), EventTime{c.ms}) << c.text;
  }
}

TEST(EventTimeText, reads_a_leap_second_as_the_second_after_59_where_one_can_stand) {
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:59:60Z"), parse_rfc3339("2017-01-01T00:00:00Z"));
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:59:60.5Z"), parse_rfc3339("2017-01-01T00:00:00.5Z"));
  EXPECT_EQ(parse_rfc3339("2016-12-31T18:59:60-05:00"), parse_rfc3339("2017-01-01T00:00:00Z"));
  EXPECT_EQ(parse_rfc3339("2017-01-01T05:29:60+05:30"), parse_rfc3339("2017-01-01T00:00:00Z"));
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:60Z"), EventTime{0});
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:58:60Z"), std::nullopt);
  EXPECT_EQ(parse_rfc3339("2016-12-30T23:59:60Z"), std::nullopt);
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:59:60+01:00"), std::nullopt);
  EXPECT_EQ(parse_rfc3339("2016-12-31T23:59:61Z"), std::nullopt);
}

TEST(EventTimeText, reads_nothing_else) {
  for (const char* text : {
           "",
           "2023-11-14",
           "2023-11-14T22:13:20",
           "2023-11-14 22:13:20Z",
           "2023-11-14T22:13:20 Z",
           "2023-11-14T22:13Z",
           "2023-11-14T22:13:20.Z",
           "2023-11-14T22:13:20,5Z",
           "2023-11-14T22:13:20+0200",
           "2023-11-14T22:13:20+02",
           "2023-11-14T22:13:20+24:00",
           "2023-11-14T22:13:20+02:60",
           "2023-11-14T24:00:00Z",
           "2023-11-14T22:60:00Z",
           "2023-13-14T22:13:20Z",
           "2023-00-14T22:13:20Z",
           "2023-11-00T22:13:20Z",
           "2023-11-31T22:13:20Z",
           "2023-02-29T00:00:00Z",
           "1900-02-29T00:00:00Z",
           "23-11-14T22:13:20Z",
           "+2023-11-14T22:13:20Z",
           "2023-11-14T22:13:20Zx",
           " 2023-11-14T22:13:20Z",
           "1700000000000",
       }) {
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace recmeter
