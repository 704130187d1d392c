// What is wrong with a log, as a user asks for it: the page, the JSON, and the exit code that a gate wants.
#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

#include <nlohmann/json.hpp>

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
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("unit, error, certain: seconds.jsonl: 100 % of the times (800) are out of range"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("Set unit: s."), std::string::npos) << ended.out;
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

TEST_F(Doctor, answers_in_json) {
  put_log("seconds.jsonl", 1000);
  const Ended ended = run("doctor --json seconds.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
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
  EXPECT_NE(ended.out.find("Nothing was found wrong"), std::string::npos) << ended.out;
  EXPECT_EQ(run("doctor missing.jsonl").code, 1);
}

}  // namespace
}  // namespace recmeter::test
