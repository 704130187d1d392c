// Unsorted files give the rows of the files written in order, whatever they are packed in and however many threads read
// them; and what sorting leaves behind when it cannot go on.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "integration/cli/workplace.h"
#include "support/dice.h"
#include "support/effort.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

// A record as a line of JSON and as a row; without `ts` one that has none.
struct Sample {
  std::optional<std::int64_t> ts;
  std::string json;
  std::string row;
};

constexpr std::int64_t day = 86'400'000;

Sample sample(support::Dice& dice, std::int64_t ts) {
  const std::string time = std::to_string(start_ms + ts);
  const std::string user = "u" + std::to_string(dice.below(5));
  const std::string list = "l" + std::to_string(dice.below(40));
  const std::string item = "i" + std::to_string(dice.below(6));
  const std::string position = std::to_string(1 + dice.below(3));
  switch (dice.below(8)) {
    case 0: return {{}, R"({"type":"impression","user_id":"u"})", "impression,,u,,,,"};
    case 1: return {ts, R"({"type":"tick","ts":)" + time + "}", "tick," + time + ",,,,,"};
    case 2:
      return {ts,
              R"({"type":"impression","ts":)" + time + R"(,"user_id":")" + user + R"(","list_id":"r)" + list +
                  R"(","item_id":")" + item + R"(","position":)" + position + "}",
              "impression," + time + "," + user + ",r" + list + ",," + item + "," + position};
    case 3:
    case 4:
      return {ts, R"({"type":"click","ts":)" + time + R"(,"user_id":")" + user + R"(","item_id":")" + item + R"("})",
              "click," + time + "," + user + ",,," + item + ","};
    default:
      return {ts,
              R"({"type":"impression","ts":)" + time + R"(,"user_id":")" + user + R"(","list_id":")" + list +
                  R"(","items":["i0",")" + item + R"("]})",
              "impression," + time + "," + user + "," + list + ",i0|" + item + ",,"};
  }
}

// Times of a few days, few enough of them that many are equal, in an order that has late events.
std::vector<Sample> disordered(std::uint64_t seed) {
  support::Dice dice(seed);
  std::vector<std::int64_t> times;
  for (int i = 0; i < 600; ++i) times.push_back(dice.between(0, 200) * (3 * day / 200));
  if (dice.percent(50)) std::ranges::sort(times, std::greater<>());
  std::vector<Sample> log;
  for (const std::int64_t ts : times) log.push_back(sample(dice, ts));
  return log;
}

std::vector<Sample> in_order(std::vector<Sample> log) {
  std::int64_t before = -day;
  std::vector<std::pair<std::int64_t, Sample>> keyed;
  for (Sample& record : log) {
    before = record.ts.value_or(before);
    keyed.emplace_back(before, std::move(record));
  }
  std::ranges::stable_sort(keyed, {}, [](const auto& record) { return record.first; });
  std::vector<Sample> sorted;
  for (auto& [ts, record] : keyed) sorted.push_back(std::move(record));
  return sorted;
}

std::string lines(const std::vector<Sample>& log) {
  std::string text;
  for (const Sample& record : log) text += record.json + "\n";
  return text;
}

std::string array(const std::vector<Sample>& log) {
  std::string text = "[";
  for (const Sample& record : log) text += (text.size() > 1 ? ",\n" : "") + record.json;
  return text + "]";
}

std::string rows(const std::vector<Sample>& log) {
  std::string text = "type,ts,user_id,list_id,items,item_id,position\n";
  for (const Sample& record : log) text += record.row + "\n";
  return text;
}

class Sorting : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    const std::string rest =
        "join: {horizons: [1m, 1h]}\nlimits: {invalid_share: 1, lost_share: 1}\nwindows: [{name: day, size: 1d}]\n";
    scratch().put("json.yaml", rest);
    scratch().put("csv.yaml", rest + "inputs: [{file: x.csv, fields: {items: {at: items, split: \"|\"}}}]\n");
    scratch().put("ordered.yaml", rest + "time: {max_step: 0s}\n");
  }
  // What must be equal of two reports: all but the disorder, the time it took and which files were sorted.
  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json report = json_in("r.json");
    for (const char* name : {"sorted", "wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max"})
      report.erase(name);
    for (nlohmann::json& partition : report["partitions"]) {
      partition.erase("disorder");
      partition.erase("name");
    }
    return report;
  }
};

TEST_F(Sorting, gives_the_bytes_of_the_file_written_in_order) {
  for (std::uint64_t seed = 1; seed <= support::effort(8, 100); ++seed) {
    const std::vector<Sample> log = disordered(seed);
    scratch().put("ordered.jsonl", lines(in_order(log)));
    const Ended wanted = run("replay -c ordered.yaml --sort never -r r.json -f jsonl ordered.jsonl");
    ASSERT_EQ(wanted.code, 0) << wanted.err;
    const nlohmann::json wanted_report = report();
    EXPECT_EQ(wanted_report["events"]["late"], 0);
    scratch().put("l.jsonl", lines(log));
    scratch().put("l.jsonl.gz", gzip(lines(log)));
    scratch().put("a.json.zst", zstd(array(log)));
    scratch().put("x.csv", rows(log));
    scratch().put("x.csv.gz", gzip(rows(log)));
    for (const char* arguments :
         {"-j 1 -c json.yaml l.jsonl", "-j 2 -c json.yaml l.jsonl.gz", "-j 8 -c json.yaml --sort always l.jsonl",
          "-j 2 -c json.yaml --sort-memory 1MiB a.json.zst", "-j 8 -c csv.yaml x.csv", "-j 1 -c csv.yaml"}) {
      const Ended ended = run("replay -r r.json -f jsonl " + std::string(arguments));
      EXPECT_EQ(ended.code, 0) << ended.err;
      EXPECT_EQ(ended.out, wanted.out) << "seed " << seed << ": " << arguments;
      EXPECT_EQ(report(), wanted_report) << "seed " << seed << ": " << arguments;
      EXPECT_EQ(json_in("r.json")["sorted"].size(), 1U);
      EXPECT_GT(json_in("r.json")["partitions"][0]["disorder"]["max"], 3'600'000);
      expect_says(ended, {"goes back in time by up to", "sorted by time"});
    }
  }
}

TEST_F(Sorting, leaves_files_in_order_and_streams_alone) {
  scratch().put("l.jsonl", lines(disordered(1)));
  Ended ended = run("replay -r r.json good.jsonl");
  EXPECT_FALSE(json_in("r.json").contains("sorted"));
  Call piped = call("replay -c json.yaml -r r.json -");
  piped.input = scratch().path("l.jsonl");
  ended = test::run(piped);
  EXPECT_GT(json_in("r.json")["events"]["late"], 0) << "standard input cannot be read twice";
  piped = call("replay -c json.yaml -r r.json --sort always -");
  piped.input = scratch().path("l.jsonl");
  ended = test::run(piped);
  EXPECT_EQ(json_in("r.json")["events"]["late"], 0);
  EXPECT_EQ(json_in("r.json")["sorted"], nlohmann::json::array({"stdin"}));
  ended = run("replay -c json.yaml -r r.json --sort never l.jsonl");
  EXPECT_GT(json_in("r.json")["events"]["late"], 0);
}

// A file read beside standard input cannot be found out on the way.
TEST_F(Sorting, looks_through_files_beside_what_cannot_be_read_again) {
  scratch().put("l.jsonl", lines(disordered(1)));
  Call piped = call("replay -c json.yaml -r r.json l.jsonl -");
  piped.input = scratch().path("empty.jsonl");
  EXPECT_EQ(test::run(piped).code, 0);
  EXPECT_EQ(json_in("r.json")["sorted"], nlohmann::json::array({"l.jsonl"}));
}

// The look at ten places sees what the run would meet in its second half only, and a lone wrong row is no reason to sort.
TEST_F(Sorting, finds_a_file_out_before_it_is_run) {
  std::string log;
  for (int half = 0; half < 2; ++half) {
    for (int second = 0; second < 14'000; ++second) log += impression(half * 14'000 + second, 1000 * second);
  }
  scratch().put("halves.jsonl", log);
  const Ended ended = run("replay -r r.json halves.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(json_in("r.json")["sorted"].size(), 1U);
  EXPECT_EQ(json_in("r.json")["lists"], 28'000);
}

// A table of lists says of each item when it was clicked: hours ahead of the rows that follow, as a wrong clock is.
TEST_F(Sorting, gives_rows_with_the_time_of_their_click_the_bytes_of_events_in_order) {
  scratch().put("table.yaml",
                "join: {horizons: [1m, 4h]}\nwindows: [{name: day, size: 1d}]\n"
                "inputs:\n  - fields: {ts: shown, list_id: l, user_id: u, item_id: i, position: p}\n    events:\n"
                "      - {type: impression}\n      - {type: click, when: {c: '*'}, fields: {ts: c, position: null}}\n");
  scratch().put("events.yaml", "join: {horizons: [1m, 4h]}\nwindows: [{name: day, size: 1d}]\n");
  for (std::uint64_t seed = 1; seed <= support::effort(6, 100); ++seed) {
    support::Dice dice(seed);
    std::vector<std::pair<std::int64_t, std::string>> events;
    std::string table = "shown,l,u,i,p,c\n";
    std::int64_t shown = start_ms;
    for (int n = 0; n < 200; ++n) {
      shown += dice.between(0, 60'000);
      const std::string list = std::to_string(n), user = std::to_string(dice.below(9));
      for (int position = 1; position <= 3; ++position) {
        const std::string item = std::to_string(position) + std::to_string(dice.below(7));
        const std::string of = R"("list_id":")" + list + R"(","user_id":")" + user + R"(","item_id":")" + item + "\"";
        events.emplace_back(shown, R"({"type":"impression","ts":)" + std::to_string(shown) + "," + of + R"(,"position":)" +
                                       std::to_string(position) + "}\n");
        table += std::to_string(shown) + "," + list + "," + user + "," + item + "," + std::to_string(position) + ",";
        if (dice.percent(30)) {
          const std::int64_t clicked = shown + dice.between(0, dice.percent(20) ? 5 * 3'600'000 : 90'000);
          events.emplace_back(clicked, R"({"type":"click","ts":)" + std::to_string(clicked) + "," + of + "}\n");
          table += std::to_string(clicked);
        }
        table += "\n";
      }
    }
    std::ranges::stable_sort(events, {}, [](const auto& event) { return event.first; });
    std::string log;
    for (const auto& [ts, event] : events) log += event;
    scratch().put("log.jsonl", log);
    scratch().put("table.csv", table);
    const Ended wanted = run("replay -c events.yaml -f jsonl --sort always log.jsonl");
    ASSERT_EQ(wanted.code, 0) << wanted.err;
    for (const char* arguments : {"-j 1 -c table.yaml table.csv", "-j 3 -c table.yaml --sort always table.csv"}) {
      const Ended ended = run("replay -r r.json -f jsonl " + std::string(arguments));
      ASSERT_EQ(ended.code, 0) << ended.err;
      const auto without_hash = [](std::string rows) {
        for (std::size_t at = 0; (at = rows.find("\"config\":\"", at)) != std::string::npos;) rows.erase(at, 27);
        return rows;
      };
      EXPECT_EQ(without_hash(ended.out), without_hash(wanted.out)) << "seed " << seed << ": " << arguments;
      EXPECT_EQ(json_in("r.json")["events"]["future"], 0);
      EXPECT_EQ(json_in("r.json")["events"]["late"], 0);
    }
  }
}

TEST_F(Sorting, explains_a_list_of_an_unsorted_file) {
  scratch().put("l.jsonl", click(2, 3'601'000) + impression(2, 3'600'000) + impression(1, 0) + click(1, 1000));
  const Ended ended = run("explain --list l1 l.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("credited"), std::string::npos) << ended.out;
  EXPECT_EQ(run("explain --list l1 --sort never l.jsonl").code, 1);
}

TEST_F(Sorting, leaves_nothing_behind_when_it_is_interrupted) {
  const std::string path = fifo("pipe");
  const std::vector<std::string> before = scratch().names();
  Call endless = call("replay --sort always -o rows.jsonl pipe");
  endless.environment = {{"TMPDIR", scratch().directory()}};
  Program program(endless);
  const Feeder feeder(path);
  feeder.feed(small_log());
  program.send_until_ended(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_EQ(scratch().names(), before);
}

TEST_F(Sorting, refuses_words_and_sizes_it_does_not_know) {
  expect_says(run("replay --sort maybe good.jsonl"), {"maybe is not known"});
  expect_says(run("replay --sort-memory 1 good.jsonl"), {"--sort-memory: 1 has no unit"});
  const Ended ended = run("explain --list l1 --sort-memory 1KiB good.jsonl");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended, {"too little for sorting; write at least 1MiB"});
}

}  // namespace
}  // namespace recmeter::test
