// Logs of which nothing is made: what was not found, what came nearest and why it is none, and where to go on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "app/infer/proposal.h"
#include "app/infer/proposal_json.h"
#include "app/infer/trial.h"
#include "config/load_config.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
constexpr std::int64_t start_ms = 1'772'445'600'000;
const std::atomic<bool> never = false;

Proposal proposal_of(const std::vector<std::string>& files) {
  auto proposal = infer_configuration(files, now, never);
  EXPECT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->config.empty()) << proposal->config;
  return std::move(*proposal);
}

std::vector<std::string> parts_of(const Proposal& proposal) {
  std::vector<std::string> parts;
  for (const MissingPart& part : proposal.shortfall.missing) parts.push_back(part.part);
  return parts;
}

std::string nearest(const Proposal& proposal, const std::string& part) {
  const auto at = std::ranges::find(proposal.shortfall.missing, part, &MissingPart::part);
  return at == proposal.shortfall.missing.end() ? "(found)" : at->nearest;
}

using Parts = std::vector<std::string>;

TEST(Shortfall, of_actions_without_lists_is_a_configuration_for_prequential) {
  const Scratch scratch;
  std::string log = "at,visitor_id,sku,what\n";
  for (int i = 0; i < 300; ++i) {
    log += fmt::format("{},v{},p{},{}\n", start_ms + i * 1000, i * 7 % 40, i * 11 % 60, i % 3 == 0 ? "purchase" : "click");
  }
  const std::string path = scratch.put("log.csv", log);
  const Proposal proposal = proposal_of({path});
  EXPECT_EQ(parts_of(proposal), Parts{"list"});
  EXPECT_TRUE(proposal.shortfall.is_complete);
  const auto config = load_config(proposal.shortfall.by_hand, "by hand", process_context());
  ASSERT_TRUE(config) << config.error().front().message << "\n" << proposal.shortfall.by_hand;
  const auto trial = try_configuration(*config, {path}, never);
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->feedback, 300U) << proposal.shortfall.by_hand;
  EXPECT_EQ(trial->invalid + trial->ignored, 0U);
  EXPECT_EQ(config->spec.join.actions.size(), 2U);
}

TEST(Shortfall, names_the_nearest_time_and_why_it_is_none) {
  const Scratch scratch;
  const auto log = [&](const auto& when) {
    std::string text = "when,user,items,item\n";
    for (int i = 0; i < 100; ++i) {
      text += fmt::format("{},u{},a{}|b{}|c{},\n", when(i), i % 20, i % 7, i % 9, i % 11);
      text += fmt::format("{},u{},,b{}\n", when(i), i % 20, i % 9);
    }
    return proposal_of({scratch.put("log.csv", text)});
  };
  const Proposal odd = log([](int i) { return fmt::format("day {} of the shop", i); });
  EXPECT_EQ(parts_of(odd), Parts{"time"});
  EXPECT_NE(nearest(odd, "time").find("no column of"), std::string::npos) << nearest(odd, "time");
  const Proposal half = log([](int i) { return i % 2 == 0 ? std::to_string(start_ms + i) : std::string("unknown"); });
  EXPECT_NE(nearest(half, "time").find("nearest is `when`; but only 100 of its 200 values are times"), std::string::npos)
      << nearest(half, "time");
  const Proposal rare = log([](int i) { return i % 2 == 0 ? std::to_string(start_ms + i) : std::string(); });
  EXPECT_NE(nearest(rare, "time").find("nearest is `when`; but only 100 of 200 records have it"), std::string::npos)
      << nearest(rare, "time");
  EXPECT_NE(rare.shortfall.by_hand.find("ts: ..."), std::string::npos) << rare.shortfall.by_hand;
}

TEST(Shortfall, names_a_column_that_is_called_like_a_time) {
  const Scratch scratch;
  std::string log = "timestamp,user,sku\n";
  for (int i = 0; i < 100; ++i) log += fmt::format("week {} day {},u{},p{}\n", i / 7, i % 7, i % 20, i % 30);
  const Proposal proposal = proposal_of({scratch.put("log.csv", log)});
  EXPECT_EQ(parts_of(proposal), (Parts{"time", "list", "click"}));
  EXPECT_NE(nearest(proposal, "time").find("nearest is `timestamp`, by its name; but no value, such as 'week 0 day 0', is"),
            std::string::npos)
      << nearest(proposal, "time");
}

TEST(Shortfall, names_the_nearest_list) {
  const Scratch scratch;
  const auto log = [&](const std::string& columns, const auto& row) {
    std::string text = "ts,user,sku," + columns + "\n";
    for (int i = 0; i < 100; ++i) text += fmt::format("{},u{},p{},{}\n", start_ms + i * 1000, i % 20, i % 30, row(i));
    return nearest(proposal_of({scratch.put("log.csv", text)}), "list");
  };
  const std::string few = log("tags", [](int i) { return i % 2 == 0 ? "red|blue" : "blue|green"; });
  EXPECT_NE(few.find("nearest is `tags`; but it has only 3 different entries"), std::string::npos) << few;
  const std::string uncut = log("results", [](int i) { return fmt::format("p{}~p{}~p{}", i % 7, i % 11, i % 13); });
  EXPECT_NE(uncut.find("nearest is `results`, by its name; but no separator"), std::string::npos) << uncut;
  const std::string places = log("position", [](int i) { return std::to_string(i * i % 53); });
  EXPECT_NE(places.find("nearest is `position`, which is called like a place"), std::string::npos) << places;
  const std::string ids = log("request_id", [](int i) { return fmt::format("r{}", i / 3); });
  EXPECT_NE(ids.find("nearest is `request_id`, which is called like the id of one"), std::string::npos) << ids;
  const std::string none = log("colour", [](int i) { return i % 2 == 0 ? "red" : "blue"; });
  EXPECT_NE(none.find("no column has several items in a record"), std::string::npos) << none;
}

TEST(Shortfall, names_the_nearest_click_of_lists_in_another_file) {
  const Scratch scratch;
  std::string shown = "ts,request,user,slots\n";
  std::string clicks = "ts,user,product\n";
  for (int i = 0; i < 100; ++i) {
    shown += fmt::format("{},r{},u{},A{}|B{}|C{}\n", start_ms + i * 1000, i, i % 20, i % 17, i % 19, i % 23);
    clicks += fmt::format("{},u{},{}\n", start_ms + i * 1000 + 500, i % 20,
                          i % 5 == 0 ? fmt::format("B{}", i % 19) : fmt::format("sku-{}", i % 23));
  }
  const std::string path = scratch.put("clicks.csv", clicks);
  const Proposal proposal = proposal_of({scratch.put("shown.csv", shown), path});
  EXPECT_EQ(parts_of(proposal), Parts{"click"});
  EXPECT_NE(
      nearest(proposal, "click").find("nearest is `product` of " + path + "; but only 20 of its 100 values are items of"),
      std::string::npos)
      << nearest(proposal, "click");
}

TEST(Shortfall, names_ids_without_a_name) {
  const Scratch scratch;
  std::string log;
  for (int i = 0; i < 200; ++i) {
    log += fmt::format("{{\"ts\":{},\"c1\":\"x{}\",\"c2\":\"y{}\"}}\n", start_ms + i * 1000, i * 7 % 80, i * 11 % 30);
  }
  const Proposal proposal = proposal_of({scratch.put("log", log)});
  EXPECT_EQ(parts_of(proposal), (Parts{"user", "item", "list", "click"}));
  EXPECT_NE(nearest(proposal, "user").find("nearest is `c1`, with 80 values in 200 records, such as x0"), std::string::npos)
      << nearest(proposal, "user");
  EXPECT_NE(proposal_json(proposal).find("\"missing\""), std::string::npos);
}

TEST(Shortfall, says_that_files_are_of_too_many_kinds) {
  const Scratch scratch;
  std::vector<std::string> files;
  for (const char* column : {"one", "two", "three"}) {
    std::string log = fmt::format("ts,user,{}\n", column);
    for (int i = 0; i < 50; ++i) log += fmt::format("{},u{},x{}\n", start_ms + i * 1000, i % 9, i % 12);
    files.push_back(scratch.put(std::string(column) + ".csv", log));
  }
  const Proposal proposal = proposal_of(files);
  EXPECT_EQ(parts_of(proposal).front(), "pair of files");
}

}  // namespace
}  // namespace recmeter::test
