// Questions of infer, and what it takes without one, of logs that can be read in two ways. [I3.24].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>

#include "app/infer/proposal.h"
#include "infer/source_logs.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

TEST(Infer, shows_what_stands_in_records_where_it_finds_nothing) {
  const Scratch scratch;
  std::string log;
  for (int i = 0; i < 100; ++i)
    log += R"({"level":"info","line":)" + std::to_string(i) +
           R"(,"text":"started","none":NaN})"
           "\n";
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->config.empty());
  ASSERT_EQ(proposal->profile.size(), 4U);
  EXPECT_EQ(proposal->profile[1], "  level: in 100 % of the records, 1 values, such as info");
}

// A file that is hardly what it is taken for is told so, with the key that says it.
TEST(Infer, tells_what_a_file_is_read_as_where_most_of_it_is_none) {
  const Scratch scratch;
  std::string log = "item\n";
  for (int i = 0; i < 9; ++i) log += "a line of a program\n";
  const std::string path = scratch.put("log", log);
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->config.empty());
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(proposal->doubts.front().about, "the format");
  EXPECT_EQ(proposal->doubts.front().sentence, path +
                                                   ": 10 of 10 records that were looked at are unreadable; it is read as "
                                                   "JSON lines, since no format fits most of its first "
                                                   "lines; if it is in another format, set inputs.format");
}

TEST(Infer, asks_which_of_two_times_counts_and_whose_clock_it_is) {
  const Scratch scratch;
  const auto lists = make_lists(3, 300);
  std::string log = own_log("tagged", true, lists).files.front();
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  const auto flags = infer_configuration({scratch.put("flags", own_log("flags", true, lists).files.front())}, now, never);
  ASSERT_TRUE(flags);
  ASSERT_EQ(flags->doubts.size(), 1U);
  EXPECT_NE(flags->doubts.front().sentence.find("zone"), std::string::npos);
  EXPECT_NE(flags->config.find("zone: UTC                               # UNSURE"), std::string::npos) << flags->config;
}

// Lists of two variants on three pages, and what was done with them, called by `word`.
std::vector<std::string> shop_logs(const Scratch& scratch, const std::string& word) {
  std::string shown = "request,visitor,shown_at,products,page_type,ab,height\n", done = "at,visitor,request,product,what\n";
  for (int n = 0; n < 600; ++n) {
    const std::string id = "r" + std::to_string(n), user = "v" + std::to_string(n % 90);
    const auto time = [n](int second) { return fmt::format("2023-11-14T{:02}:{:02}:{:02}Z", n / 60, n % 60, second); };
    const std::string first = "p" + std::to_string(n % 50);
    shown += fmt::format("{},{},{},{}|p{}|p{},page {},{},{}\n", id, user, time(0), first, n % 50 + 50, n % 50 + 100, n % 3,
                         n % 2 == 0 ? "A" : "B", n % 5);
    if (n % 2 == 0) done += fmt::format("{},{},{},{},{}\n", time(20), user, id, first, word);
    if (n % 6 == 0) done += fmt::format("{},{},{},{},buy\n", time(40), user, id, first);
  }
  return {scratch.put("shown.csv", shown), scratch.put("done.csv", done)};
}

TEST(Infer, names_columns_of_few_values_and_makes_rows_of_arms) {
  const Scratch scratch;
  const auto proposal = infer_configuration(shop_logs(scratch, "click"), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  const std::string& yaml = proposal->config;
  EXPECT_NE(yaml.find("segments: {ab: ab, page_type: page_type}"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("\nsegments: [[ab], [page_type]] "), std::string::npos) << yaml;
}

// NaN is written by Python for a number that is not there; as a value of a segment it would make the record invalid.
TEST(Infer, leaves_out_columns_with_numbers_that_are_none) {
  const Scratch scratch;
  const auto lists = make_lists(4, 300);
  for (const char* name : {"price", "bucket"}) {
    std::istringstream lines(own_log("tagged", true, lists).files.front());
    std::string log, line;
    for (int n = 0; std::getline(lines, line); ++n) {
      line.pop_back();
      log += fmt::format("{},\"{}\":{}}}\n", line, name, n % 20 == 0 ? "NaN" : n % 2 == 0 ? "3.5" : "4");
    }
    const std::string path = scratch.put(name, log);
    const auto proposal = infer_configuration({path}, now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_EQ(proposal->report.events.invalid, 0U) << proposal->config;
    EXPECT_EQ(proposal->report.lists, lists.size());
  }
}

// The log of docs/tutorial.md: clicks do not name a list, though each list has an id.
TEST(Infer, takes_an_id_of_lists_that_no_action_names) {
  const std::string folder = RECMETER_SOURCE_DIR "/examples/shop/";
  const auto proposal = infer_configuration({folder + "shown.csv", folder + "actions.csv"}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  EXPECT_NE(proposal->config.find("list_id: search "), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("\nsegments: [[ranker]] "), std::string::npos) << proposal->config;
}

TEST(Infer, asks_whether_a_view_is_a_click) {
  const Scratch scratch;
  const auto proposal = infer_configuration(shop_logs(scratch, "view_item"), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(proposal->doubts.front().about, "view");
  EXPECT_NE(proposal->config.find("# UNSURE: is it a click on the list"), std::string::npos) << proposal->config;
}

// Columns that names do not tell apart are quoted once, as a configuration has them.
TEST(Infer, quotes_columns_once) {
  const Scratch scratch;
  std::string log;
  for (int i = 0; i < 300; ++i) log += fmt::format("{}\t{}\t{}\t{}\n", 1'700'000'000 + i, i % 70, i % 5 + 1, i % 90);
  const auto proposal = infer_configuration({scratch.put("ratings", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 2U);
  EXPECT_EQ(proposal->doubts[0].sentence, "'$2' (70 values) or '$4' (90 values)?");
  EXPECT_EQ(proposal->doubts[1].sentence, "'$4' (90 values) or '$2' (70 values)?");
}

// Who clicks three times on an item is credited once, and was on the list each time.
TEST(Infer, takes_repeated_actions_as_joined) {
  const Scratch scratch;
  std::string log;
  for (const ShownList& list : make_lists(5, 200)) {
    log += fmt::format(R"({{"type":"impression","ts":{},"list_id":"{}","user_id":"{}","items":["{}"]}})"
                       "\n",
                       list.ts, list.id, list.user, list.items[0]);
    for (int again = 0; again < 3; ++again) {
      log += fmt::format(R"({{"type":"click","ts":{},"list_id":"{}","user_id":"{}","item_id":"{}"}})"
                         "\n",
                         list.ts + again, list.id, list.user, list.items[0]);
    }
  }
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->report.feedback.repeated, 400U);
  EXPECT_TRUE(proposal->doubts.empty()) << proposal->doubts.front().sentence;
}

// Deeds of a session, each at its time, are no list that was shown.
TEST(Infer, takes_no_times_for_items) {
  const Scratch scratch;
  std::string sessions, shown;
  for (const ShownList& list : make_lists(4, 300)) {
    std::string views, items;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::int64_t at = list.ts / 1000 + static_cast<std::int64_t>(20 * i);
      views += fmt::format(R"({}{{"at":{},"page":"{}"}})", i == 0 ? "" : ",", at, list.items[i]);
      items += fmt::format(R"({}{{"sku":"{}","seen":{}}})", i == 0 ? "" : ",", list.items[i], at * 1000);
    }
    sessions += fmt::format(R"({{"session":"{}","visitor":"{}","started":{},"views":[{}]}})"
                            "\n",
                            list.id, list.user, list.ts / 1000, views);
    shown += fmt::format(R"({{"ts":{},"uid":"{}","rid":"{}","items":[{}]}})"
                         "\n",
                         list.ts, list.user, list.id, items);
  }
  const auto none = infer_configuration({scratch.put("sessions", sessions)}, now, never);
  ASSERT_TRUE(none) << none.error().context;
  EXPECT_TRUE(none->config.empty()) << none->config;
  const auto alone = infer_configuration({scratch.put("shown", shown)}, now, never);
  ASSERT_TRUE(alone) << alone.error().context;
  EXPECT_EQ(alone->report.lists, 300U);
  EXPECT_EQ(alone->report.events.feedback, 0U);
  ASSERT_EQ(alone->doubts.size(), 1U);
  EXPECT_EQ(alone->doubts.front().about, "the actions");
}

TEST(Infer, doubts_actions_that_are_the_first_item_of_every_list_at_its_time) {
  const Scratch scratch;
  std::string log;
  for (const ShownList& list : make_lists(4, 200)) {
    log += fmt::format(R"({{"type":"impression","ts":{0},"list_id":"{1}","user_id":"{2}","items":{3}}})"
                       "\n"
                       R"({{"type":"click","ts":{0},"list_id":"{1}","user_id":"{2}","item_id":"{4}"}})"
                       "\n",
                       list.ts, list.id, list.user, "[\"" + fmt::format("{}", fmt::join(list.items, "\",\"")) + "\"]",
                       list.items.front());
  }
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(
      proposal->doubts.front().sentence,
      "200 of 200 are on the first item of their list, at the list's own time: were they done, or is it the list again?");
}

// Two widgets of a page, or one list in two parts: the log looks the same.
TEST(Infer, asks_whether_lists_that_go_on_under_their_id_are_lists_of_their_own) {
  const auto doubts = [](int widgets, std::int64_t apart_ms) {
    std::string log;
    for (int n = 0; n < 100; ++n) {
      const std::int64_t ts = 1'700'000'000'000 + 600'000 * n;
      const auto shown = [&](std::int64_t at, const char* items) {
        return fmt::format(R"({{"type":"impression","ts":{},"list_id":"page-{}","user_id":"u{}","items":[{}]}})"
                           "\n",
                           at, n, n % 7, items);
      };
      log += shown(ts, R"("a","b")");
      if (n < widgets) log += shown(ts + apart_ms, R"("c","d")");
      log += fmt::format(R"({{"type":"click","ts":{},"user_id":"u{}","item_id":"a"}})"
                         "\n",
                         ts + 20'000, n % 7);
    }
    const Scratch scratch;
    const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
    EXPECT_TRUE(proposal) << proposal.error().context;
    std::vector<std::string> about;
    for (const Doubt& doubt : proposal->doubts) about.push_back(doubt.about);
    return about;
  };
  EXPECT_EQ(doubts(5, 400), std::vector<std::string>{"whole_lists"});
  EXPECT_EQ(doubts(4, 400), std::vector<std::string>{}) << "fewer than 5 %";
  EXPECT_EQ(doubts(100, 10'000), std::vector<std::string>{}) << "assembled: a list of its own";
}

// Cards come into view one after another, the last when most clicks were done.
TEST(Infer, writes_no_horizon_that_is_shorter_than_assemble) {
  std::string log = "time,event,visitor,request_id,sku,slot\n";
  for (int n = 0; n < 300; ++n) {
    const auto time = [n](int second) { return std::to_string(1'700'000'000 + 600 * n + second); };
    const std::string of = fmt::format(",v{},r{},", n % 60, n);
    for (int slot = 1; slot <= 6; ++slot) {
      log += fmt::format("{},shown{}p{},{}\n", time(20 * slot), of, (n + 7 * slot) % 90, slot);
      if (slot == 1) log += fmt::format("{},click{}p{},\n", time(30), of, (n + 7) % 90);
    }
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_NE(proposal->config.find("assemble: 2m"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("horizons: [5m]"), std::string::npos) << proposal->config;
  EXPECT_EQ(proposal->report.lists, 300U);
  EXPECT_EQ(proposal->report.feedback.credited, 300U);
}

TEST(Infer, tells_of_a_file_that_is_not_there) {
  const auto proposal = infer_configuration({"/nonexistent/log"}, now, never);
  ASSERT_FALSE(proposal);
  EXPECT_EQ(proposal.error().code, Errc::input_missing);
}

}  // namespace
}  // namespace recmeter::test
