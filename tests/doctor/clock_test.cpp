// Logs near those whose clocks were set: what only looks like such a night is not named so.
#include <gtest/gtest.h>

#include <algorithm>

#include "doctor/changes.h"
#include "support/effort.h"

namespace recmeter::doctor {
namespace {

constexpr std::int64_t spring_ms = 1'743'296'400'000;  // 2025-03-30T01:00Z
constexpr std::int64_t autumn_ms = 1'761'440'400'000;  // 2025-10-26T01:00Z

bool names_clocks(const std::vector<Said>& said) {
  return says(said, "hour-skipped") || says(said, "hour-twice") || says(said, "clock-set");
}

// Half a day on each side of `around`.
void move_to(std::int64_t around, SoundLog& log) {
  const std::int64_t by = (around - 13 * hour_ms) - ts_of(log.lists.front()) / hour_ms * hour_ms;
  for (auto* records : {&log.lists, &log.feedback}) {
    for (Record& record : *records) record["ts"] = ts_of(record) + by;
  }
}

void write_local(SoundLog& log, const std::string& zone) {
  log.write_time = [](const std::string&, std::int64_t ts) { return Record(iso(ts, ' ', "")); };
  for (auto& [file, keys] : log.inputs) keys = {{"unit", "iso"}, {"zone", zone}};
}

// Events of all kinds.
void lose_hour(SoundLog& log, std::int64_t from) {
  for (auto* records : {&log.lists, &log.feedback}) {
    std::erase_if(*records, [&](const Record& record) { return ts_of(record) >= from && ts_of(record) < from + hour_ms; });
  }
}

TEST(Clocks, are_not_blamed_for_a_lost_hour_of_times_that_have_a_zone) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    move_to(spring_ms, log);
    lose_hour(log, spring_ms);
    const std::vector<Said> said = examined(log);
    EXPECT_TRUE(says(said, "hours-missing")) << told(said);
    EXPECT_FALSE(names_clocks(said)) << told(said);
  });
}

TEST(Clocks, are_not_blamed_for_an_hour_that_is_lost_by_day) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    move_to(spring_ms, log);
    write_local(log, "UTC");
    lose_hour(log, spring_ms + 8 * hour_ms);
    const std::vector<Said> said = examined(log);
    EXPECT_TRUE(says(said, "hours-missing")) << told(said);
    EXPECT_FALSE(names_clocks(said)) << told(said);
  });
}

// Feedback behind a lost partition names its lists.
TEST(Clocks, are_not_blamed_for_lists_that_feedback_behind_the_hour_names) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    move_to(spring_ms, log);
    write_local(log, "UTC");
    for (Record& record : log.feedback)
      record["ts"] = ts_of(record) + static_cast<std::int64_t>(log.dice.below(20)) * minute_ms;
    lose_hour(log, spring_ms);
    const std::vector<Said> said = examined(log);
    EXPECT_TRUE(says(said, "hours-missing")) << told(said);
    EXPECT_FALSE(names_clocks(said)) << told(said);
  });
}

TEST(Clocks, are_not_blamed_for_a_busy_hour) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    move_to(autumn_ms, log);
    write_local(log, "UTC");
    const std::vector<Record> lists = log.lists;
    for (Record list : lists) {
      if (ts_of(list) < autumn_ms + 8 * hour_ms || ts_of(list) >= autumn_ms + 9 * hour_ms) continue;
      list["list_id"] = list["list_id"].get<std::string>() + "b";
      list["user_id"] = list["user_id"].get<std::string>() + "b";
      log.lists.push_back(list);
    }
    EXPECT_FALSE(names_clocks(examined(log))) << told(examined(log));
  });
}

TEST(Clocks, of_either_night_are_sound_where_zones_are_known) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    for (const std::int64_t night : {spring_ms, autumn_ms}) {
      SoundLog log(seed);
      move_to(night, log);
      log.write_time = [=](const std::string&, std::int64_t ts) {
        const bool is_summer = (night == spring_ms) == (ts >= night);
        return Record(iso(ts + (is_summer ? 2 : 1) * hour_ms, 'T', is_summer ? "+02:00" : "+01:00"));
      };
      for (auto& [file, keys] : log.inputs) keys = {{"unit", "iso"}, {"zone", "UTC"}};
      const std::vector<Said> said = examined(log);
      EXPECT_FALSE(names_clocks(said)) << told(said);
      EXPECT_LE(said.size(), 1U) << told(said);
    }
  });
}

// Local time against UTC in both seasons alike: the zone is wrong, and no clock was set.
TEST(Clocks, are_not_blamed_for_a_zone) {
  SoundLog log(3);
  move_to(spring_ms, log);
  log.write_time = [](const std::string& file, std::int64_t ts) {
    return Record(file == "feedback.jsonl" ? ts + 2 * hour_ms : ts);
  };
  const std::vector<Said> said = examined(log);
  EXPECT_TRUE(says(said, "zone")) << told(said);
  EXPECT_FALSE(names_clocks(said)) << told(said);
}

// A lost partition elsewhere is told beside the night.
TEST(Clocks, hide_no_hour_that_is_lost_elsewhere) {
  SoundLog log(4);
  move_to(spring_ms, log);
  log.write_time = [](const std::string&, std::int64_t ts) {
    return Record(iso(ts + (ts >= spring_ms ? 2 : 1) * hour_ms, ' ', ""));
  };
  for (auto& [file, keys] : log.inputs) keys = {{"unit", "iso"}, {"zone", "\"+01:00\""}};
  std::erase_if(log.lists, [](const Record& list) {
    return ts_of(list) >= spring_ms + 6 * hour_ms && ts_of(list) < spring_ms + 7 * hour_ms;
  });
  const std::vector<Said> said = examined(log);
  EXPECT_TRUE(says(said, "hour-skipped") && says(said, "hours-missing")) << told(said);
  const auto missing = std::ranges::find(said, "hours-missing", &Said::code);
  EXPECT_NE(missing->sentence.find("in 1 of "), std::string::npos) << missing->sentence;
}

}  // namespace
}  // namespace recmeter::doctor
