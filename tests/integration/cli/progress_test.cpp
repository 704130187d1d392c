// How far a run is, on standard error, from its third second on.
#include <chrono>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

class Progress : public Workplace {
 protected:
  // Fed bit by bit until it says `text`, or for `ms`; returns what it said.
  std::string said_while_fed(const std::string& options, std::string_view text, int ms) {
    generate("--lists 4000");
    const std::string log = scratch().get("log.jsonl");
    const std::string input = fifo("input");
    const auto begin = std::chrono::steady_clock::now();
    Program program(call("replay input -o rows " + options));
    Feeder feeder(input);
    const auto end = begin + std::chrono::milliseconds(ms);
    bool said = false;
    while (!said && std::chrono::steady_clock::now() < end) {
      EXPECT_TRUE(feeder.feed(log));
      said = program.says(text, 50);
    }
    EXPECT_TRUE(text.starts_with("never") || std::chrono::steady_clock::now() - begin >= std::chrono::seconds(2))
        << "not in the first two seconds";
    feeder.close();
    return program.wait().err;
  }
};

TEST_F(Progress, is_a_line_of_text_now_and_then) {
  const std::string said = said_while_fed("--progress plain", "events/s", 20'000);
  EXPECT_NE(said.find(" events, "), std::string::npos) << said;
  expect_clean_messages(said);
}

TEST_F(Progress, is_plain_where_there_is_no_terminal) {
  expect_clean_messages(said_while_fed("", "events/s", 20'000));
}

TEST_F(Progress, is_json_when_asked) {
  const auto lines = lines_of(said_while_fed("--progress json", "progress", 20'000));
  ASSERT_FALSE(lines.empty());
  const auto progress = support::parsed_json(lines.front()).at("progress");
  EXPECT_TRUE(progress.at("share").is_null());  // of a pipe
  EXPECT_TRUE(progress.at("seconds_left").is_null());
  EXPECT_GT(progress.at("events").get<int>(), 0);
  EXPECT_GT(progress.at("events_per_second").get<double>(), 0);
}

TEST_F(Progress, is_json_where_messages_are) {
  for (const std::string& line : lines_of(said_while_fed("--json", "progress", 20'000))) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
}

TEST_F(Progress, is_silent_when_asked) {
  const std::string said = said_while_fed("--progress none", "never said", 3'000);
  EXPECT_EQ(said.find("events/s"), std::string::npos) << said;
}

TEST_F(Progress, is_silent_in_a_short_run) {
  const Ended ended = run("replay good.jsonl -o rows --progress plain");
  EXPECT_EQ(lines_of(ended.err).size(), 1U) << ended.err;
}

}  // namespace
}  // namespace recmeter::test
