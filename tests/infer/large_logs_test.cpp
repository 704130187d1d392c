// Logs that are larger than a sample: what comes up later is found, and the sample that is written is the one that was
// replayed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "app/infer/log_sample.h"
#include "app/infer/proposal.h"
#include "app/infer/sample_file.h"
#include "app/run/replay_inputs.h"
#include "config/load_config.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

constexpr std::size_t lists = 30'000;

// Every second list is clicked; from the given list on, every tenth is ordered from, too.
std::string json_lines(std::size_t orders_from) {
  std::string log;
  for (std::size_t l = 0; l < lists; ++l) {
    const std::size_t ts = 1'772'445'600'000 + l * 7'000;
    const std::string user = fmt::format("user-{}", l % 977);
    const std::string item = fmt::format("item-{}", (l * 31 + 1) % 5'003);
    log += fmt::format(R"({{"what":"shown","at":{},"who":"{}","page":"page-{}","cards":["item-{}","{}","item-{}"]}})", ts,
                       user, l, l * 31 % 5'003, item, (l * 31 + 2) % 5'003);
    log += '\n';
    const auto act = [&](std::string_view action, std::size_t later) {
      log += fmt::format(R"({{"what":"{}","at":{},"who":"{}","page":"page-{}","card":"{}"}})", action, ts + later, user, l,
                         item);
      log += '\n';
    };
    if (l % 2 == 0) act("click", 2'000);
    if (l >= orders_from && l % 10 == 0) act("order", 5'000);
  }
  return log;
}

std::string rows(std::size_t count) {
  std::string log = "exported by a tool\n\n# a comment\nwhat;at;who;page;cards;card\n";
  for (std::size_t l = 0; l < count; ++l) {
    const std::size_t ts = 1'772'445'600'000 + l * 7'000;
    log += fmt::format("shown;{};user-{};page-{};item-{},item-{};\n", ts, l % 977, l, l * 31 % 5'003, (l * 31 + 1) % 5'003);
    if (l % 2 == 0) {
      log += fmt::format("click;{};user-{};page-{};;item-{}\n", ts + 2'000, l % 977, l, l * 31 % 5'003);
    }
  }
  return log;
}

TEST(LargeLogs, have_actions_that_come_up_later) {
  const Scratch scratch;
  const std::string late = scratch.put("late.jsonl", json_lines(lists * 6 / 10));
  const auto proposal = infer_configuration({late}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_NE(proposal->config.find("when: {what: order}"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("records at ten places of"), std::string::npos) << proposal->config;
  EXPECT_EQ(proposal->report.records, sample_records_max);
  const std::string never_ordered = scratch.put("never.jsonl", json_lines(lists));
  const auto without = infer_configuration({never_ordered}, now, never);
  ASSERT_TRUE(without) << without.error().context;
  EXPECT_EQ(without->config.find("when: {what: order}"), std::string::npos) << without->config;
}

// The counts of a proposal are those of a replay of the sample by it.
TEST(LargeLogs, are_sampled_as_they_were_replayed) {
  const Scratch scratch;
  for (const auto& [name, log] :
       {std::pair{"log.jsonl", json_lines(0)}, {"log.csv", rows(30'000)}, {"small.csv", rows(500)}}) {
    const std::string path = scratch.put(name, log);
    const auto proposal = infer_configuration({path}, now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    const std::string sample = scratch.path(std::string("sample-") + name);
    const auto written = write_sample({path}, sample, never);
    ASSERT_TRUE(written) << written.error().context;
    const std::string text = scratch.get(std::string("sample-") + name);
    EXPECT_LT(text.size(), log.size() + 1);
    EXPECT_EQ(text.size() == log.size(), name == std::string("small.csv"));
    const auto config = load_config(proposal->config, "inferred.yaml", {.environment = {}, .read_catalog = {}});
    ASSERT_TRUE(config) << proposal->config;
    const auto again = replay_sample(*config, {sample}, never);
    ASSERT_TRUE(again) << again.error().context;
    EXPECT_EQ(again->report.records, proposal->report.records) << name;
    EXPECT_EQ(again->report.lists, proposal->report.lists);
    EXPECT_EQ(again->report.feedback, proposal->report.feedback);
    EXPECT_EQ(again->report.events, proposal->report.events);
    EXPECT_GT(again->report.feedback.credited, 100U);
  }
}

TEST(LargeLogs, of_several_files_have_a_directory_of_samples) {
  const Scratch scratch;
  const std::string log = scratch.put("a.jsonl", json_lines(0));
  const std::string other = scratch.put("b.jsonl", json_lines(0));
  const std::string directory = scratch.path("samples");
  ASSERT_TRUE(write_sample({log, other}, directory, never));
  EXPECT_EQ(scratch.get("samples/a.jsonl"), scratch.get("samples/b.jsonl"));
  const auto same_name = write_sample({log, directory + "/a.jsonl"}, scratch.path("more"), never);
  ASSERT_FALSE(same_name);
  EXPECT_NE(same_name.error().context.find("two logs"), std::string::npos);
  const auto over_itself = write_sample({log}, log, never);
  ASSERT_FALSE(over_itself);
  EXPECT_NE(over_itself.error().context.find("write over the log"), std::string::npos);
  const auto array = write_sample({scratch.put("c.json", "[{\"a\":1},\n{\"a\":2}]")}, scratch.path("c"), never);
  ASSERT_FALSE(array);
  EXPECT_NE(array.error().context.find("replay the log itself"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::test
