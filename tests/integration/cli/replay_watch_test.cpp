// A replay watched over HTTP: its rows and how it stands, while it goes on and until it is told to end.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "integration/cli/workplace.h"
#include "recmeter/http/get.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

class ReplayWatched : public Workplace {
 protected:
  // The address that a program says its dashboard has.
  static std::string url_said(Program& program) {
    if (!program.says("dashboard: http://127.0.0.1:", 20'000)) return "";
    constexpr std::string_view before = "dashboard: ";
    const std::string said = program.said();
    const std::size_t begin = said.find(before) + before.size();
    return said.substr(begin, said.find('\n', begin) - begin);
  }
  static json ask(const std::string& url) {
    const auto answer = http::get(url, {});
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().context);
    if (!answer || answer->status != 200) return json();
    return support::parsed_json(answer->body);
  }
};

TEST_F(ReplayWatched, shows_the_rows_that_it_writes_until_it_is_told_to_end) {
  generate("--lists 20000 --seed 7");
  ASSERT_EQ(run("replay log.jsonl -o alone.jsonl").code, 0);
  Program program(call("replay log.jsonl -o rows.jsonl --listen 127.0.0.1:0"));
  const std::string url = url_said(program);
  ASSERT_NE(url, "");
  ASSERT_TRUE(program.says("still serving the dashboard", 60'000));
  EXPECT_EQ(scratch().get("rows.jsonl"), scratch().get("alone.jsonl")) << "being watched changes no row, and all are written";

  const json status = ask(url + "/api/v1/status");
  EXPECT_TRUE(status["complete"].get<bool>());
  EXPECT_EQ(status["rows"]["final"].get<std::size_t>() + status["rows"]["truncated"].get<std::size_t>(),
            lines_of(scratch().get("rows.jsonl")).size());
  EXPECT_TRUE(status["state"].is_null()) << "a replay has none";
  const json row = support::parsed_json(lines_of(scratch().get("rows.jsonl")).front());
  const auto answer = http::get(url + "/api/v1/windows?window=" + row["window"].get<std::string>(), {});
  ASSERT_TRUE(answer);
  std::size_t found = 0;
  for (const std::string& line : lines_of(scratch().get("rows.jsonl"))) {
    const json one = support::parsed_json(line);
    if (one["window"] != row["window"] || one["segment"] != row["segment"] || one["stage"] != "final") continue;
    found += answer->body.find(line) != std::string::npos ? 1U : 0U;
  }
  EXPECT_GT(found, 0U);

  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
  expect_clean_messages(ended.err);
}

// One click lies hours behind all other events and is held until the end: the log's last event time is before it.
TEST_F(ReplayWatched, calls_final_only_what_is_final_in_the_rows) {
  generate("--lists 20000 --seed 7");
  const json last = support::parsed_json(lines_of(scratch().get("log.jsonl")).back());
  const std::int64_t held = last["ts"].get<std::int64_t>() + std::int64_t{5} * 60 * 60 * 1000;
  scratch().put("log.jsonl", scratch().get("log.jsonl") + R"({"type":"click","user_id":"u","item_id":"i","ts":)" +
                                 std::to_string(held) + "}\n");
  scratch().put("minutes.yaml", "windows: [{name: minute, size: 1m}, {name: all, size: all}]\n");
  Program program(call("replay -c minutes.yaml log.jsonl -o rows.jsonl --listen 127.0.0.1:0"));
  const std::string url = url_said(program);
  ASSERT_TRUE(program.says("still serving the dashboard", 60'000));
  std::vector<std::string> stages;
  std::int64_t final_until = 0;
  for (const std::string& line : lines_of(scratch().get("rows.jsonl"))) {
    const json row = support::parsed_json(line);
    if (!row["segment"].empty() || row["window"] == "all") continue;
    stages.push_back(row["stage"]);
    if (row["stage"] == "final") final_until = std::max(final_until, row["end"].get<std::int64_t>());
  }
  EXPECT_EQ(std::set<std::string>(stages.begin(), stages.end()), (std::set<std::string>{"final", "truncated"}));
  for (const char* what :
       {"/api/v1/series?window=minute&metric=precision@10", "/api/v1/compare?window=minute&metric=precision@10&a=&b="}) {
    const json answer = ask(url + what);
    EXPECT_EQ(answer["columns"]["stage"], json(stages)) << what;
    const auto until = answer["final_until"].get<std::int64_t>();
    EXPECT_GE(until, final_until) << what;
    EXPECT_LT(until, final_until + 60'000) << what;
  }
  const json newest = ask(url + "/api/v1/windows?window=minute&stage=truncated&limit=1");
  EXPECT_EQ(newest["rows"].size(), 1U);
  EXPECT_EQ(ask(url + "/api/v1/status")["evaluator"]["windows"].size(), 1U) << "the whole one is none in time";
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 0);
}

TEST_F(ReplayWatched, goes_no_faster_than_it_is_asked_to) {
  const auto begun = std::chrono::steady_clock::now();
  // Ten minutes of events at 300 times their pace: two seconds.
  ASSERT_EQ(run("replay good.jsonl -o paced.jsonl --speed 300x").code, 0);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(1900));
  ASSERT_EQ(run("replay good.jsonl -o rows.jsonl").code, 0);
  EXPECT_EQ(scratch().get("paced.jsonl"), scratch().get("rows.jsonl"));
}

TEST_F(ReplayWatched, ends_at_once_when_it_is_told_to_while_it_waits) {
  Program program(call("replay good.jsonl -o rows.jsonl --speed 0.01x --listen 127.0.0.1:0"));
  ASSERT_NE(url_said(program), "");
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 130);
}

TEST_F(ReplayWatched, refuses_addresses_and_speeds_that_are_none) {
  expect_says(run("replay good.jsonl --listen 8080"), {"--listen: 8080 is not an address to listen on", "127.0.0.1:8080"});
  expect_says(run("demo --listen 8080"), {"--listen: 8080 is not an address to listen on", "127.0.0.1:8080"});
  expect_says(run("replay good.jsonl --listen 0.0.0.0:0"), {"0.0.0.0:0 can be reached from other machines"});
  scratch().put("whole.yaml", "windows: [{name: all, size: all}]\n");
  expect_says(run("replay -c whole.yaml good.jsonl --listen 127.0.0.1:0"), {"--listen shows windows in time", "{name: hour"});
  expect_says(run("replay good.jsonl --speed fast"), {"--speed: fast is not a speed; write max, 1x or 60x"});
  EXPECT_EQ(run("replay good.jsonl --speed fast").code, 2);
}

}  // namespace
}  // namespace recmeter::test
