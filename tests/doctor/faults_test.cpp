// Faults planted in sound logs: each is named, what its remedy says is done, and then it is gone.
#include "doctor/faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/effort.h"

namespace recmeter::doctor {
namespace {

class PlantedFault : public testing::TestWithParam<Fault> {};

// Named by its code, whose remedy does away with it.
TEST_P(PlantedFault, is_named_and_its_remedy_removes_it) {
  const Fault& fault = GetParam();
  support::for_each_seed(5, 20, [&](std::uint64_t seed) {
    SoundLog log(seed);
    fault.plant(log);
    const std::vector<Said> said = examined(log);
    const auto named = std::find_if(said.begin(), said.end(), [&](const Said& one) { return one.code == fault.code; });
    ASSERT_NE(named, said.end()) << "seed " << seed << " says" << told(said);
    if (fault.mend) {
      fault.mend(log);
      if (fault.code == "before-list-far") log = SoundLog(seed);
    } else if (!named->settings.empty()) {
      apply(*named, log);
    } else {
      log = SoundLog(seed);
    }
    const std::vector<Said> after = examined(log);
    EXPECT_TRUE(std::none_of(after.begin(), after.end(), [&](const Said& one) { return one.code == fault.code; }))
        << "seed " << seed << " still says" << told(after);
  });
}

std::string name_of(const testing::TestParamInfo<Fault>& fault) {
  std::string name = fault.param.code + (fault.param.name.empty() ? "" : "_" + fault.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(OfEveryKind, PlantedFault, testing::ValuesIn(all_faults()), name_of);

// Of a file that is mostly invalid it is said what it is read as; the cause may be that it is none of that.
TEST(Invalid, says_what_a_file_is_read_as_where_most_of_it_is_invalid) {
  const auto told_of_invalid = [](const SoundLog& log) {
    for (const Said& said : examined(log)) {
      if (said.code == "invalid") return said.sentence;
    }
    return std::string("nothing");
  };
  SoundLog log(1);
  log.inputs["feedback.jsonl"]["format"] = "csv";
  const std::string told = told_of_invalid(log);
  EXPECT_NE(told.find("feedback.jsonl is invalid: it is read as CSV, as inputs.format says"), std::string::npos) << told;
  // Of few records, too: nine, since one is taken for a header.
  log.lists.resize(10);
  log.feedback.clear();
  log.inputs["lists.jsonl"]["format"] = "csv";
  EXPECT_NE(told_of_invalid(log), "nothing");
  EXPECT_NE(told_of_invalid(log).find("it is read as CSV"), std::string::npos);
  log = SoundLog(1);
  for (std::size_t i = 0; i * 3 < log.feedback.size(); ++i) log.feedback[i].erase("user_id");
  const std::string other = told_of_invalid(log);
  EXPECT_NE(other.find("missing_field"), std::string::npos) << other;
  EXPECT_EQ(other.find("it is read as"), std::string::npos) << other;
}

// Whoever comes from recmeter infer is not sent back to it.
TEST(Invalid, names_the_field_and_how_to_find_its_place) {
  SoundLog log(1);
  for (std::size_t i = 0; i * 3 < log.feedback.size(); ++i) log.feedback[i].erase("user_id");
  const std::vector<Said> said = examined(log);
  const auto invalid = std::ranges::find(said, "invalid", &Said::code);
  ASSERT_NE(invalid, said.end()) << told(said);
  EXPECT_TRUE(invalid->remedy.starts_with("Correct `user_id`, or name its place under inputs.fields: recmeter validate"))
      << invalid->remedy;
}

// The rows that come too late are why no feedback fits: what follows from it is not told as a cause.
TEST(LateRows, are_told_in_the_place_of_what_follows_from_them) {
  SoundLog log(1);
  log.as_rows();
  std::set<std::pair<std::string, std::string>> first;
  for (Record& row : log.lists) {
    if (row["position"] == 1) first.emplace(row["list_id"], row["item_id"]);
    row["ts"] = row["ts"].get<std::int64_t>() + (row["position"].get<std::int64_t>() - 1) * 11'000;
  }
  for (Record& record : log.feedback) record["ts"] = record["ts"].get<std::int64_t>() + 120'000;
  std::erase_if(log.feedback, [&](const Record& record) {
    return !record.contains("list_id") || first.contains({record["list_id"], record["item_id"]});
  });
  const std::vector<Said> said = examined(log);
  EXPECT_TRUE(says(said, "rows-late")) << told(said);
  EXPECT_FALSE(says(said, "nothing-joins") || says(said, "item-not-in-list")) << told(said);
}

// Ten orders among hundreds of clicks are no share of anything.
TEST(LostAction, is_named_with_its_cause_however_rare_it_is) {
  const auto said_of = [](std::size_t count, const auto& spoil) {
    SoundLog log(7);
    std::size_t left = count;
    for (const Record& click : std::vector(log.feedback)) {
      if (left == 0) break;
      if (click["type"] != "click") continue;
      Record order = click;
      order["type"] = "order";
      spoil(order);
      log.feedback.push_back(order);
      --left;
    }
    std::ranges::stable_sort(log.feedback, {}, [](const Record& record) { return record["ts"].get<std::int64_t>(); });
    log.settings["join.actions.order"] = "{gain: 5}";
    std::string sentence;
    for (const Said& said : examined(log)) {
      if (said.code == "action-lost") sentence += said.sentence;
      EXPECT_FALSE(said.code == "impressions-sampled" || said.code == "list-id-unknown") << said.sentence;
    }
    return sentence;
  };
  EXPECT_EQ(said_of(10, [](Record&) {}), "");
  EXPECT_EQ(said_of(4, [](Record& order) { order["item_id"] = "voucher"; }), "") << "too few";
  const std::string of_sku = said_of(10, [](Record& order) { order["item_id"] = "voucher"; });
  EXPECT_NE(of_sku.find("0 of 10 events of `order` are on an item of a list"), std::string::npos) << of_sku;
  const std::string of_order = said_of(10, [](Record& order) { order["list_id"] = "order-17"; });
  EXPECT_NE(of_order.find("Their list_id is of no list"), std::string::npos) << of_order;
  EXPECT_NE(said_of(200, [](Record& order) { order["list_id"] = "order-17"; }), "") << "and no list is called lost for it";
  const std::string of_form =
      said_of(10, [](Record& order) { order["item_id"] = "SKU-" + order["item_id"].get<std::string>(); });
  EXPECT_NE(of_form.find("another form of the id"), std::string::npos) << of_form;
}

// Clicks on a second widget under the page's list id.
void click_on_a_second_widget(SoundLog& log, std::size_t share) {
  for (Record& record : log.feedback) {
    if (record.contains("list_id") && log.dice.percent(share)) record["item_id"] = "w" + record["item_id"].get<std::string>();
  }
}
// Rows of the last ranks are logged 40 s late.
void delay_last_rows(SoundLog& log, std::int64_t from) {
  log.as_rows();
  for (Record& row : log.lists) {
    if (row["position"] >= from) row["ts"] = row["ts"].get<std::int64_t>() + 40'000;
  }
}
std::string remedy_of(const std::vector<Said>& said, const std::string& code) {
  const auto at = std::ranges::find(said, code, &Said::code);
  return at == said.end() ? "(not told)" : at->remedy;
}

TEST(LateRows, are_told_from_a_second_widget) {
  support::for_each_seed(5, 20, [](std::uint64_t seed) {
    SoundLog late(seed);
    delay_last_rows(late, 4);
    std::vector<Said> said = examined(late);
    EXPECT_TRUE(remedy_of(said, "rows-late").starts_with("Set join.assemble: 1m")) << told(said);
    EXPECT_EQ(remedy_of(said, "item-not-in-list"), "(not told)") << told(said);

    SoundLog widget(seed);
    widget.as_rows();
    click_on_a_second_widget(widget, 15);
    said = examined(widget);
    EXPECT_EQ(remedy_of(said, "rows-late"), "(not told)") << told(said);
    EXPECT_TRUE(remedy_of(said, "item-not-in-list").starts_with("Give each widget a list id of its own")) << told(said);

    SoundLog both(seed);
    delay_last_rows(both, 4);
    click_on_a_second_widget(both, 15);
    said = examined(both);
    EXPECT_TRUE(remedy_of(said, "rows-late").starts_with("Set join.assemble: 1m")) << told(said);
    EXPECT_TRUE(remedy_of(said, "item-not-in-list").starts_with("Give each widget a list id of its own")) << told(said);
  });
}

// One kind of action is on late rows alone.
TEST(LateRows, are_the_cause_where_one_action_is_lost_for_them) {
  SoundLog log(7);
  delay_last_rows(log, 6);
  std::size_t left = 10;
  for (const Record& row : log.lists) {
    if (row["position"] < 6 || left == 0 || --left == 0) continue;
    Record order{{"type", "order"}, {"ts", row["ts"].get<std::int64_t>() + 20'000}};
    for (const char* key : {"list_id", "user_id", "item_id"}) order[key] = row[key];
    log.feedback.push_back(order);
  }
  std::ranges::stable_sort(log.feedback, {}, [](const Record& record) { return record["ts"].get<std::int64_t>(); });
  log.settings["join.actions.order"] = "{gain: 5}";
  const std::vector<Said> said = examined(log);
  const auto lost = std::ranges::find(said, "action-lost", &Said::code);
  ASSERT_NE(lost, said.end()) << told(said);
  EXPECT_NE(lost->sentence.find("join.assemble is too short"), std::string::npos) << lost->sentence;
}

// Hardly any row is late, but those that are acted on are.
TEST(LateRows, are_told_where_few_are_and_feedback_is_on_them) {
  SoundLog log(2);
  std::set<std::pair<std::string, std::string>> acted;
  for (const Record& record : log.feedback) acted.emplace(record.value("list_id", ""), record["item_id"]);
  log.as_rows();
  for (Record& row : log.lists) {
    const bool is_late = row["position"] > 1 && acted.contains({row["list_id"], row["item_id"]}) && log.dice.percent(15);
    if (is_late) row["ts"] = row["ts"].get<std::int64_t>() + 40'000;
  }
  const std::vector<Said> said = examined(log);
  EXPECT_TRUE(remedy_of(said, "rows-late").starts_with("Set join.assemble: 1m")) << told(said);
  EXPECT_EQ(remedy_of(said, "item-not-in-list"), "(not told)") << told(said);
}

// A unit is named wherever one is asked for.
TEST(Unit, is_named_in_its_remedy) {
  const std::vector<std::pair<std::string, std::int64_t>> units{{"s", 1000}, {"us", 1}, {"ns", 1}};
  for (const auto& [unit, divisor] : units) {
    SoundLog log(1);
    const std::int64_t factor = unit == "us" ? 1000 : unit == "ns" ? 1'000'000 : 1;
    log.write_time = [=, by = divisor](const std::string&, std::int64_t ts) { return Record(ts / by * factor); };
    EXPECT_EQ(remedy_of(examined(log), "unit"), "Set unit: " + unit);
  }
  SoundLog log(1);
  for (auto& [file, keys] : log.inputs) keys = {{"unit", "s"}};
  EXPECT_EQ(remedy_of(examined(log), "unit"), "Set unit: ms");
  // Times of no unit at all.
  log.write_time = [](const std::string&, std::int64_t ts) { return Record(ts % 1000); };
  for (const Said& said : examined(log)) EXPECT_EQ(said.remedy.find("unit: ."), std::string::npos) << said.remedy;
  log.write_time = [](const std::string&, std::int64_t) { return Record("yesterday"); };
  for (const Said& said : examined(log)) EXPECT_FALSE(said.remedy.ends_with("unit: ")) << said.remedy;
}

// Of one log at most one thing is said that is not true of it.
TEST(SoundLog, is_accused_of_nothing) {
  std::size_t accusations = 0;
  support::for_each_seed(20, 200, [&](std::uint64_t seed) {
    SoundLog log(1000 + seed);
    if (seed % 3 == 0) log.as_rows();
    log.has_one_file = seed % 2 == 0;
    const std::vector<Said> said = examined(log);
    EXPECT_LE(said.size(), 1U) << "seed " << seed << told(said);
    accusations += said.size();
  });
  EXPECT_LE(accusations, 1U);
}

// A thumb on a whole list has no item that could be missing in it, and no rank that could be the first.
TEST(SoundLog, with_actions_on_whole_lists_is_accused_of_no_more) {
  support::for_each_seed(4, 40, [&](std::uint64_t seed) {
    SoundLog log(1000 + seed);
    const std::vector<Said> before = examined(log);
    for (const Record& list : log.lists) {
      if (log.dice.percent(40)) {
        log.feedback.push_back({{"type", "thumb"},
                                {"ts", list["ts"].get<std::int64_t>() + 9000},
                                {"user_id", list["user_id"]},
                                {"list_id", list["list_id"]}});
      }
    }
    std::ranges::stable_sort(log.feedback, {}, [](const Record& record) { return record["ts"].get<std::int64_t>(); });
    log.settings["join.actions.thumb"] = "{on: list}";
    const std::vector<Said> said = examined(log);
    EXPECT_EQ(said.size(), before.size()) << "seed " << seed << told(said);
  });
}

}  // namespace
}  // namespace recmeter::doctor
