// Records that the configuration ignores: those on an item that a list showed their user are told, others are not.
#include <gtest/gtest.h>

#include <algorithm>

#include "doctor/changes.h"
#include "support/effort.h"

namespace recmeter::doctor {
namespace {

std::string said_of_ignored(const SoundLog& log) {
  for (const Said& said : examined(log)) {
    if (said.code == "ignored-items") return said.sentence;
  }
  return "";
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Both files are read by one list of rules.
void read_by_rules(SoundLog& log, const std::string& path) {
  for (auto& [file, keys] : log.inputs) {
    keys["fields"] = "{ts: ts, user_id: user_id, list_id: list_id, item_id: item_id, items: items}";
    keys["events"] = "[{type: impression, when: {" + path + ": impression}}, {type: click, when: {" + path +
                     ": click}}, {type: purchase, when: {" + path + ": purchase}}]";
  }
}
void rename(SoundLog& log, const std::string& from, const std::string& to, std::size_t share) {
  for (Record& record : log.feedback) {
    if (record["type"] == from && log.dice.percent(share)) record["type"] = to;
  }
}

TEST(IgnoredItems, are_counted_by_type) {
  support::for_each_seed(4, 20, [](std::uint64_t seed) {
    for (const bool by_rules : {false, true}) {
      SoundLog log(seed);
      rename(log, "click", "peek", 20);
      rename(log, "purchase", "grab", 40);
      if (by_rules) read_by_rules(log, "type");
      const std::string said = said_of_ignored(log);
      EXPECT_TRUE(has(said, "'peek' (") && has(said, ", 'grab' (")) << said << told(examined(log));
    }
  });
}

// The other finding tells of a word of an action, whose remedy is a setting; this one of all else that is ignored.
TEST(IgnoredItems, of_one_cause_are_told_by_one_finding) {
  support::for_each_seed(4, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    rename(log, "purchase", "add_to_cart", 100);
    EXPECT_TRUE(says(examined(log), "type-unmapped")) << told(examined(log));
    EXPECT_EQ(said_of_ignored(log), "");
    rename(log, "click", "peek", 30);
    const std::string said = said_of_ignored(log);
    EXPECT_TRUE(says(examined(log), "type-unmapped"));
    EXPECT_TRUE(has(said, "'peek' (") && !has(said, "add_to_cart")) << said;
  });
}

// Each of a small log is looked at.
TEST(IgnoredItems, are_told_of_a_short_log_one_by_one) {
  SoundLog log(7);
  log.feedback.resize(400);
  std::size_t taps = 0;
  for (std::size_t i = 0; i < log.feedback.size(); i += 10, ++taps) log.feedback[i]["type"] = "peek";
  EXPECT_TRUE(has(said_of_ignored(log),
                  "40 ignored records hold an item that a list showed their user, beside 360 of feedback: "
                  "'peek' (40)"))
      << told(examined(log));
  // As its remedy says: what says nothing has gain 0.
  log.settings["join.actions.peek"] = "{gain: 0}";
  EXPECT_EQ(said_of_ignored(log), "");
}

TEST(IgnoredItems, without_lists_of_their_user_are_none) {
  support::for_each_seed(4, 20, [](std::uint64_t seed) {
    for (const bool by_rules : {false, true}) {
      SoundLog log(seed);
      std::vector<Record> pages;
      for (const Record& record : log.feedback) {
        if (!log.dice.percent(30)) continue;
        Record page = record;
        page["type"] = "page";
        page.erase("list_id");
        page["item_id"] = "page" + std::to_string(log.dice.below(50));
        pages.push_back(page);
        page["item_id"] = record["item_id"];
        page["user_id"] = "stranger" + std::to_string(log.dice.below(300));
        pages.push_back(page);
      }
      log.feedback.insert(log.feedback.end(), pages.begin(), pages.end());
      if (by_rules) read_by_rules(log, "type");
      EXPECT_EQ(said_of_ignored(log), "");
    }
  });
}

// Tomorrow's value of a column that tells actions: the configuration of today does not know it.
TEST(IgnoredItems, of_a_new_value_in_the_column_of_a_rule_are_told) {
  SoundLog log(5);
  const auto version = [&log](const char* of_clicks) {
    for (Record& list : log.lists) list["app"] = "impression";
    for (Record& record : log.feedback) record["app"] = record["type"] == "click" ? of_clicks : "purchase";
  };
  read_by_rules(log, "app");
  version("click");
  EXPECT_EQ(said_of_ignored(log), "");
  version("click 5.2");
  EXPECT_TRUE(has(said_of_ignored(log), "'click 5.2' (")) << told(examined(log));
}

// Before the list was shown, or longer after than a horizon, it is no action on it.
TEST(IgnoredItems, long_before_their_list_are_none) {
  SoundLog log(6);
  std::vector<Record> more;
  for (const Record& record : log.feedback) {
    if (!record.contains("list_id") || !log.dice.percent(20)) continue;
    more.push_back(record);
    more.back()["type"] = "peek";
    more.back()["ts"] = ts_of(record) - 5 * hour_ms;
  }
  log.feedback.insert(log.feedback.end(), more.begin(), more.end());
  EXPECT_EQ(said_of_ignored(log), "");
}

}  // namespace
}  // namespace recmeter::doctor
