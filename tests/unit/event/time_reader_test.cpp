#include "event/time_reader.h"

#include <gtest/gtest.h>

#include "recmeter/event/field_value.h"

namespace recmeter {
namespace {

// 2023-11-14T22:13:20Z
constexpr std::int64_t moment = 1'700'000'000'000;

std::string told(const TimeForm& form, const FieldValue& value, bool text_numbers = false) {
  const auto read = TimeReader(form, text_numbers).read(value);
  return read ? std::to_string((*read).ms - moment) : std::string(to_string(read.error()));
}
std::string told(const TimeForm& form, std::string_view text, bool text_numbers = false) {
  return told(form, FieldValue::of_text(text), text_numbers);
}
TimeForm in_zone(TimeUnit unit, const std::string& zone, std::string pattern = {}) {
  return {.unit = unit, .pattern = std::move(pattern), .zone_name = zone, .zone = time_zone(zone)};
}

TEST(TimeReader, reads_iso_with_a_blank_or_T_and_an_offset) {
  const TimeForm iso{.unit = TimeUnit::iso};
  EXPECT_EQ(told(iso, "2023-11-14T22:13:20Z"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 22:13:20Z"), "0");
  EXPECT_EQ(told(iso, "2023-11-14t22:13:20z"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 22:13:20.1239999+00:00"), "123");
  EXPECT_EQ(told(iso, "2023-11-14 23:13:20+01"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 23:13:20+0100"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 17:13:20-05:00"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 22:13:20 UTC"), "0");
  EXPECT_EQ(told(iso, "2023-11-14 22:13Z"), "-20000");
}

TEST(TimeReader, takes_an_iso_time_without_offset_in_the_zone_alone) {
  EXPECT_EQ(told({.unit = TimeUnit::iso}, "2023-11-14 22:13:20"), "wrong_type");
  EXPECT_EQ(told(in_zone(TimeUnit::iso, "UTC"), "2023-11-14 22:13:20"), "0");
  EXPECT_EQ(told(in_zone(TimeUnit::iso, "+01:00"), "2023-11-14 23:13:20"), "0");
  EXPECT_EQ(told(in_zone(TimeUnit::iso, "Europe/Berlin"), "2023-11-14 23:13:20"), "0");
  EXPECT_EQ(told(in_zone(TimeUnit::iso, "America/New_York"), "2023-11-14 17:13:20.250"), "250");
  EXPECT_EQ(told(in_zone(TimeUnit::iso, "Europe/Berlin"), "2023-11-14 22:13:20Z"), "0");
}

TEST(TimeReader, knows_hours_that_a_zone_skips_and_those_that_it_has_twice) {
  const TimeForm berlin = in_zone(TimeUnit::iso, "Europe/Berlin");
  EXPECT_EQ(told(berlin, "2023-03-26 02:30:00"), "time_in_gap");
  EXPECT_EQ(told(berlin, "2023-03-26 03:00:00"), told(berlin, "2023-03-26 01:00:00Z"));
  // The first of the two: summer time, two hours ahead of UTC.
  EXPECT_EQ(told(berlin, "2023-10-29 02:30:00"), told(berlin, "2023-10-29 00:30:00Z"));
}

TEST(TimeReader, knows_no_other_zones) {
  for (const char* name : {"", "Europe/Nowhere", "/etc/localtime", "../zoneinfo/UTC", "+1", "01:00"}) {
    EXPECT_EQ(time_zone(name), nullptr) << name;
  }
}

TEST(TimeReader, refuses_texts_that_are_nearly_iso) {
  const TimeForm iso = in_zone(TimeUnit::iso, "UTC");
  for (const char* text :
       {"", "2023-11-14", "2023-11-14T22", "2023-11-14  22:13:20", "2023-11-14 22:13:20 ", "2023-02-29 00:00:00",
        "2023-11-14 24:00:00", "2023-11-14 22:13:20.", "2023-11-14 22:13:20+1", "1700000000"}) {
    EXPECT_EQ(told(iso, text), "wrong_type") << text;
  }
  EXPECT_EQ(told(iso, FieldValue::of_integer(1'700'000'000)), "wrong_type");
  EXPECT_EQ(told(iso, "1979-12-31 23:59:59"), "time_out_of_range");
}

TEST(TimeReader, reads_decimal_seconds_exactly) {
  const TimeForm form{.unit = TimeUnit::fractional_seconds};
  EXPECT_EQ(told(form, FieldValue::of_integer(1'700'000'000)), "0");
  EXPECT_EQ(told(form, FieldValue::of_number(1'700'000'000.001)), "1");
  // The double next to it lies below; the decimal that was written does not.
  EXPECT_EQ(told(form, FieldValue::of_number(1'700'000'000.123)), "123");
  EXPECT_EQ(told(form, FieldValue::of_number(1'700'000'000.9999)), "999");
  EXPECT_EQ(told(form, FieldValue::of_number(1e300)), "time_out_of_range");
  EXPECT_EQ(told(form, FieldValue::of_number(-5.5)), "time_out_of_range");
  EXPECT_EQ(told(form, "1700000000.5", true), "500");
  EXPECT_EQ(told(form, "1700000000.5"), "wrong_type");
  EXPECT_EQ(told(form, "1.7e9", true), "0");
  EXPECT_EQ(told(form, "1.7e9"), "wrong_type");
}

// 2023-11-14T22:13:20 is 45244 days and 80000 seconds behind 1899-12-30.
TEST(TimeReader, reads_the_days_of_excel_on_a_local_clock) {
  const TimeForm form = in_zone(TimeUnit::excel, "UTC");
  EXPECT_EQ(told(form, "45244.9259259259", true), "0");
  EXPECT_EQ(told(form, "45244.92592592592592592593", true), "0");
  EXPECT_EQ(told(form, "45244.9259", true), "-2240");
  EXPECT_EQ(told(form, FieldValue::of_number(45244.9259259259)), "0");
  EXPECT_EQ(told(form, FieldValue::of_integer(45244)), "-80000000");
  EXPECT_EQ(told(in_zone(TimeUnit::excel, "+01:00"), FieldValue::of_integer(45244)), "-83600000");
  EXPECT_EQ(told(form, "45244.9259259259"), "wrong_type");
  EXPECT_EQ(told({.unit = TimeUnit::excel}, "45244.5", true), "wrong_type");
  for (const char* text : {"", ".5", "45244.", "45244,5", "4e4", "-45244.5", "45244.5x", "2023-11-14"}) {
    EXPECT_EQ(told(form, text, true), "wrong_type") << text;
  }
  for (const char* text : {"5", "200000.5", "999999999999999"}) {
    EXPECT_EQ(told(form, text, true), "time_out_of_range") << text;
  }
}

TEST(TimeReader, reads_numbers_in_texts_where_these_are_numbers) {
  EXPECT_EQ(told({}, "1700000000000", true), "0");
  EXPECT_EQ(told({}, "1700000000000"), "wrong_type");
  EXPECT_EQ(told({}, "1700000000000.0"), "wrong_type");
  EXPECT_EQ(told({}, " 1700000000000", true), "wrong_type");
  EXPECT_EQ(told({}, "99999999999999999999999", true), "time_out_of_range");
  EXPECT_EQ(told({}, "", true), "wrong_type");
}

// As programs write whole numbers that passed through a float.
TEST(TimeReader, reads_whole_numbers_in_texts_with_a_point_or_an_exponent) {
  for (const char* text : {"1700000000000.0", "1700000000000.000", "1.7E+12", "1.7e12", "17e11", "0.17e13",
                           "17000000000000e-1", "170000000000000.0e-2"}) {
    EXPECT_EQ(told({}, text, true), "0") << text;
  }
  EXPECT_EQ(told({.unit = TimeUnit::seconds}, "1.7E+9", true), "0");
  for (const char* text : {"1700000000000.5", "1.7000000000001e11", "1700000000000.", ".17e13", "1.7e", "1.7e+", "1.7e+-12",
                           "1.7e++12", "1.7e12 ", "1,7e12", "0x1p3", "e12", "1700000000001e-1", "--17e11", "inf", "nan"}) {
    EXPECT_EQ(told({}, text, true), "wrong_type") << text;
  }
  for (const char* text : {"1e19", "1e999", "1e99999999999999999999", "0.0", "0e5", "-1.7e12"}) {
    EXPECT_EQ(told({}, text, true), "time_out_of_range") << text;
  }
}

TEST(TimeReader, takes_typed_times_as_they_are) {
  for (const TimeUnit unit : {TimeUnit::seconds, TimeUnit::iso, TimeUnit::rfc3339, TimeUnit::pattern}) {
    EXPECT_EQ(told({.unit = unit}, FieldValue::of_time({moment + 7})), "7");
  }
  EXPECT_EQ(told({}, FieldValue::of_time({0})), "time_out_of_range");
}

TEST(TimeReader, reads_patterns) {
  const auto as = [](std::string pattern, std::string_view text) {
    return told(in_zone(TimeUnit::pattern, "UTC", std::move(pattern)), text);
  };
  EXPECT_EQ(as("%m/%d/%Y %I:%M:%S %p", "11/14/2023 10:13:20 PM"), "0");
  EXPECT_EQ(as("%m/%d/%Y %I:%M:%S %p", "11/14/2023 12:13:20 am"), std::to_string(-22 * 3'600'000));
  EXPECT_EQ(as("%d.%m.%y %H:%M", "14.11.23 22:13"), "-20000");
  EXPECT_EQ(as("%d %b %Y %H:%M:%S.%f", "14 NOV 2023 22:13:20.5"), "500");
  EXPECT_EQ(as("%Y%m%dT%H%M%S%z", "20231114T231320+0100"), "0");
  EXPECT_EQ(as("%Y-%m-%d", "2023-11-14"), std::to_string(-(22 * 3600 + 13 * 60 + 20) * 1000));
  EXPECT_EQ(as("%a, %d %b %Y %H:%M:%S %z", "Tue, 14 Nov 2023 23:13:20 +0100"), "0");
  EXPECT_EQ(as("%a %b %d %Y", "WED Nov 14 2023"), as("%Y-%m-%d", "2023-11-14"));
  EXPECT_EQ(as("%a %d %b %Y", "Die 14 Nov 2023"), "wrong_type");
  EXPECT_EQ(as("%%%Y", "%2023"), told(in_zone(TimeUnit::iso, "UTC"), "2023-01-01 00:00:00"));
}

TEST(TimeReader, refuses_texts_of_another_pattern) {
  const TimeForm form = in_zone(TimeUnit::pattern, "UTC", "%m/%d/%Y %I:%M %p");
  for (const char* text : {"", "11/14/2023", "14/11/2023 10:13 PM", "11/14/2023 0:13 PM", "11/14/2023 13:13 PM",
                           "11/14/2023 10:13 XM", "11/14/2023 10:13 PMx", "2/30/2023 10:13 PM"}) {
    EXPECT_EQ(told(form, text), "wrong_type") << text;
  }
  EXPECT_EQ(told({.unit = TimeUnit::pattern, .pattern = "%Y-%m-%d"}, "2023-11-14"), "wrong_type");
}

TEST(TimePattern, tells_a_letter_that_it_does_not_know) {
  EXPECT_EQ(unknown_time_letter("%Y-%m-%dT%H:%M:%S.%f%z %% %a %b %I %p %y"), std::nullopt);
  EXPECT_EQ(unknown_time_letter("%Y-%j"), 'j');
  EXPECT_EQ(unknown_time_letter("%Y%"), '%');
}

}  // namespace
}  // namespace recmeter
