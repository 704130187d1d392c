#include "app/commands/option_values.h"
#include "app/run/time_or_ago.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace recmeter {
namespace {

TEST(OptionValues, a_word_is_one_of_the_known_or_suggests_the_nearest) {
  const CLI::Validator check = one_of_words({"jsonl", "csv", "table"});
  EXPECT_EQ(check("csv"), "");
  EXPECT_EQ(check("jsnol"), "jsnol is not known; did you mean `jsonl`?");
  EXPECT_EQ(check("xml"), "xml is not known; write `jsonl`, `csv` or `table`");
  EXPECT_NE(check(""), "");
}

TEST(OptionValues, a_whole_number_is_nothing_but_digits_within_its_bounds) {
  const CLI::Validator check = whole_number_up_to(1024);
  for (const char* good : {"0", "1", "1024", "0008"}) EXPECT_EQ(check(good), "") << good;
  for (const char* bad : {"", "-1", "+1", "1025", "1.5", "2 ", "0x2", "many", "99999999999999999999"})
    EXPECT_NE(check(bad), "") << bad;
}

TEST(OptionValues, a_time_is_rfc_3339_or_so_long_ago) {
  const EventTime now{1'700'000'000'000};
  EXPECT_EQ(parse_time_or_ago("now", now), now);
  EXPECT_EQ(parse_time_or_ago("-3d", now), EventTime{now.ms - 3 * 86'400'000LL});
  EXPECT_EQ(parse_time_or_ago("2023-11-14T00:00:00Z", now), EventTime{1'699'920'000'000});
  EXPECT_EQ(parse_time_or_ago("2023-11-14T01:00:00+01:00", now), EventTime{1'699'920'000'000});
  for (const char* bad :
       {"", "-", "-3", "3d", "--3d", "Now", "2023-11-14", "2023-11-14T00:00:00", "1699920000000", "-99999999999d"}) {
    const auto time = parse_time_or_ago(bad, now);
    ASSERT_FALSE(time) << bad;
    EXPECT_EQ(time.error().code, Errc::config_invalid);
    EXPECT_NE(time.error().context.find("write 2026-11-20T00:00:00Z"), std::string::npos);
  }
}

}  // namespace
}  // namespace recmeter
