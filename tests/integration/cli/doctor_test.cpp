// What is wrong with a log, as a user asks for it: the page, the JSON, and the exit code that a gate wants.
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"
#include "support/shared_data.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

class Doctor : public Workplace {
 protected:
  // 400 lists, of which the times are seconds, and a click on each.
  void put_log(const char* name, std::int64_t unit) const {
    std::string log;
    for (std::int64_t i = 0; i < 400; ++i) {
      const std::string user = R"("user_id":"u)" + std::to_string(i) + R"(","list_id":"l)" + std::to_string(i) + "\"";
      const std::int64_t ts = start_ms + i * 61'003;
      log +=
          R"({"type":"impression","ts":)" + std::to_string(ts / unit) + "," + user + R"(,"items":["b","a","d","c"]})" + "\n";
      log += R"({"type":"click","ts":)" + std::to_string((ts + 20'000) / unit) + "," + user + R"(,"item_id":"b"})" + "\n";
    }
    scratch().put(name, log);
  }
};

TEST_F(Doctor, says_the_root_cause_and_its_remedy_alone) {
  put_log("seconds.jsonl", 1000);
  const Ended ended = run("doctor seconds.jsonl");
  EXPECT_EQ(ended.code, 3) << "as replay: " << ended.err;
  EXPECT_NE(
      ended.out.find("  unit, error, certain, in seconds.jsonl\n    found  100 % of the times (800) are out of range, "),
      std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("    cause  They are in another unit\n    do     Set unit: s\n"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("Found: 1 error, 0 warnings, 0 notes"), std::string::npos) << ended.out;
}

TEST_F(Doctor, fails_where_a_gate_asks_for_it) {
  put_log("seconds.jsonl", 1000);
  put_log("millis.jsonl", 1);
  for (const char* weight : {"error", "warning", "note"}) {
    EXPECT_EQ(run(std::string("doctor --fail-on ") + weight + " seconds.jsonl").code, 3) << weight;
  }
  // Every list is acted on at its first item: a warning of a log that loads.
  EXPECT_EQ(run("doctor --fail-on warning millis.jsonl").code, 3);
  EXPECT_EQ(run("doctor --fail-on fatal millis.jsonl").code, 2);
}

TEST_F(Doctor, ends_with_the_command_that_has_something_to_say) {
  scratch().put("c.yaml", "segments: [[v]]\n");
  const auto next = [&](const std::string& log) {
    scratch().put("log.jsonl", log);
    const std::string out = run("doctor -c c.yaml log.jsonl").out;
    return out.substr(std::min(out.find("\nNext: "), out.size()));
  };
  EXPECT_EQ(next(impression(1, 0) + click(1, 500)), "\nNext: recmeter replay --config c.yaml log.jsonl\n");
  std::string broken;
  for (int i = 0; i < 20; ++i) broken += "{\n";
  EXPECT_EQ(next(impression(1, 0) + click(1, 500) + broken),
            "\nNext: mend what is an error above; then recmeter replay --config c.yaml log.jsonl\n");
  EXPECT_EQ(next(impression(1, 0)), "\nNext: name the log of actions, too; recmeter infer reads both\n");
  EXPECT_NE(next(click(1, 0)).find("then\n      recmeter prequential --config c.yaml log.jsonl\n"), std::string::npos);
  EXPECT_EQ(next("{}\n"), "\nNext: recmeter validate --config c.yaml --sample log.jsonl shows how records are read\n");
  EXPECT_NE(run("doctor log.jsonl").out.find("\nNext: recmeter infer log.jsonl\n"), std::string::npos);
}

TEST_F(Doctor, answers_in_json) {
  put_log("seconds.jsonl", 1000);
  const Ended ended = run("doctor --json seconds.jsonl");
  EXPECT_EQ(ended.code, 3) << "as replay: " << ended.err;
  const json answer = support::parsed_json(ended.out);
  ASSERT_TRUE(answer.is_object()) << ended.out;
  EXPECT_EQ(answer["schema"], "recmeter.doctor/1");
  ASSERT_EQ(answer["findings"].size(), 1U);
  const json& finding = answer["findings"][0];
  EXPECT_EQ(finding["code"], "unit");
  EXPECT_EQ(finding["cases"], 800);
  EXPECT_GT(finding["interval"][0], 0.98);
  EXPECT_EQ(finding["set"][0]["key"], "inputs.unit");
  EXPECT_EQ(finding["set"][0]["value"], "s");
  const json all = support::parsed_json(run("doctor --json --all seconds.jsonl").out);
  EXPECT_GT(all["findings"].size(), 40U) << "silent ones are told, too";
}

TEST_F(Doctor, reads_standard_input_and_an_empty_log) {
  scratch().put("empty.jsonl", "");
  const Ended ended = run("doctor empty.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("There was nothing to check."), std::string::npos) << ended.out;
  EXPECT_EQ(run("doctor missing.jsonl").code, 1);
}

// A log that is short, or cannot be read, gets no clean bill.
TEST_F(Doctor, says_how_many_checks_had_too_few_records) {
  std::string log;
  for (int i = 0; i < 15; ++i) {
    log += fmt::format(R"({{"type":"impression","ts":{},"list_id":"l{}","user_id":"u{}","items":["a{}","b{}","c"]}})"
                       "\n",
                       1'700'000'000'000 + 600'000 * i, i, i, i % 4, i % 3);
  }
  log += R"({"type":"click","ts":1700000020000,"user_id":"u0","item_id":"b0"})"
         "\n";
  scratch().put("short.jsonl", log);
  const Ended ended = run("doctor short.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("Nothing was found wrong with this log, but "), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find(" checks had too few records to say anything.\n"), std::string::npos) << ended.out;
  const json answer = support::parsed_json(run("doctor --json short.jsonl").out);
  EXPECT_GT(answer["checks_short"], 5);
  EXPECT_GT(answer["checks"], answer["checks_short"]);
  const Ended all = run("doctor --all short.jsonl");
  EXPECT_EQ(all.out.find(" - "), std::string::npos) << "of what was not found nothing is said:\n" << all.out;
  EXPECT_NE(all.out.find("    found  0 of 15: too few to say anything\n"), std::string::npos) << all.out;
}

TEST_F(Doctor, names_what_is_unreadable_however_short_it_is) {
  scratch().put("bad.jsonl", "{\"type\":\"impression\",\"ts\":1}\n{\"type\":\"click\",\"ts\":2}\n");
  const Ended ended = run("doctor bad.jsonl");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_NE(ended.out.find("invalid, error, certain"), std::string::npos) << ended.out;
}

std::set<std::string> codes_of(const json& answer) {
  std::set<std::string> codes;
  for (const json& finding : answer["findings"]) codes.insert(finding["code"]);
  return codes;
}
const json& finding_of(const json& answer, std::string_view code) {
  return *std::ranges::find_if(answer["findings"], [&](const json& finding) { return finding["code"] == code; });
}
// The records of a compressed log, read by other means.
std::vector<json> records_of(const std::string& path, const Scratch& scratch) {
  std::vector<json> records;
  EXPECT_EQ(std::system(("gunzip -c " + path + " > " + scratch.path("records")).c_str()), 0);
  std::ifstream file(scratch.path("records"));
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) records.push_back(json::parse(line));
  }
  return records;
}

// Rows of which each is a list of its own, and two policies that share their users: both are so.
TEST_F(Doctor, says_of_a_shop_s_log_what_is_so_and_nothing_else) {
  const std::string path = support::shared_data("obd/men.jsonl.gz");
  if (!support::has_shared_data("obd/men.jsonl.gz")) GTEST_SKIP() << "SKIPPED: no Open Bandit data at " << path;
  const json answer = support::parsed_json(run("doctor --json " + path).out);
  EXPECT_EQ(codes_of(answer), (std::set<std::string>{"arms-per-list", "delay-zero", "single-item-lists"})) << answer.dump();
  std::map<std::string, int> rows_of_list;
  std::map<std::string, std::set<std::string>> arms_of_user;
  std::map<std::string, int> lists_of_user;
  for (const json& record : records_of(path, scratch())) {
    if (record["type"] != "impression") continue;
    ++rows_of_list[record["list_id"]];
    ++lists_of_user[record["user_id"]];
    arms_of_user[record["user_id"]].insert(record["segments"]["policy"]);
  }
  const auto single = std::ranges::count_if(rows_of_list, [](const auto& list) { return list.second == 1; });
  EXPECT_EQ(finding_of(answer, "single-item-lists")["cases"], single);
  const auto mixed = std::ranges::count_if(arms_of_user, [](const auto& user) { return user.second.size() > 1; });
  const auto several = std::ranges::count_if(lists_of_user, [](const auto& user) { return user.second > 1; });
  EXPECT_EQ(finding_of(answer, "arms-per-list")["cases"], mixed);
  EXPECT_EQ(finding_of(answer, "arms-per-list")["of"], several);
}

// Listeners that fire twice, and queries without hits, whose lists are not read and are named by clicks. One that is answered
// again, with other hits, has several lists.
TEST_F(Doctor, says_of_a_search_log_what_is_so_and_nothing_else) {
  const std::string path = support::shared_data("ubi/ubi_queries_events.ndjson.gz");
  if (!support::has_shared_data("ubi/ubi_queries_events.ndjson.gz")) GTEST_SKIP() << "SKIPPED: no UBI log at " << path;
  scratch().put("ubi.yaml", run("infer " + path).out);
  const json answer = support::parsed_json(run("doctor --json --config ubi.yaml " + path).out);
  EXPECT_EQ(codes_of(answer), (std::set<std::string>{"busy-user", "feedback-twice"})) << answer.dump();
  const std::vector<json> records = records_of(path, scratch());
  std::map<std::string, std::set<std::string>> items_of_list, items_of_user;
  for (const json& record : records) {
    for (const json& hit : record.value("query_response_hit_ids", json::array())) {
      items_of_list[record["query_id"]].insert(hit.get<std::string>());
      items_of_user[record["client_id"]].insert(hit.get<std::string>());
    }
  }
  int stale = 0;
  for (const json& record : records) {
    const std::string action = record.value("action_name", "");
    if (!record["timestamp"].is_string() || (action != "click" && action != "add_to_cart")) continue;
    const auto list = items_of_list.find(record["query_id"]);
    const std::string item = record["event_attributes"]["object"].value("object_id", "");
    if (list != items_of_list.end() && !list->second.contains(item) && items_of_user[record["client_id"]].contains(item))
      ++stale;
  }
  EXPECT_LT(stale, 0.005 * answer["feedback"].get<double>());
}

}  // namespace
}  // namespace recmeter::test
