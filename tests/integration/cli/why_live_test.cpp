// Why a metric of a running evaluator changed: what a replay of the log says, also after the run was killed.
#include <csignal>

#include "integration/cli/two_hours.h"
#include "integration/cli/workplace.h"
#include "recmeter/http/get.h"
#include "support/parsed_json.h"
#include "unit/kafka/mock_cluster.h"

namespace recmeter::test {
namespace {

class WhyLive : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("log.jsonl", two_hours());
    scratch().put("items.jsonl", R"({"item_id":"a","genre":"drama"})"
                                 "\n"
                                 R"({"item_id":"b","genre":"news"})"
                                 "\n"
                                 R"({"item_id":"c"})"
                                 "\n");
    configure("attribution: {windows: [hour], ranks: true, item_group: genre}\n");
    cluster_.produce(lines_of(two_hours()));
  }
  void configure(const std::string& attribution) const {
    scratch().put("live.yaml", "inputs: [{topic: log}]\nkafka: {start: earliest, brokers: \"" + cluster_.bootstrap() +
                                   "\"}\nsegments: [[surface]]\nwindows: [{name: hour, size: 1h}, {name: half, size: 30m}]\n"
                                   "join: {horizons: [10m]}\ncatalog: {file: items.jsonl}\n"
                                   "metrics: {cutoffs: [3], names: [mrr, precision, {name: mrr, unit: user}]}\n"
                                   "state: {dir: state, checkpoint_every: 20ms}\n"
                                   "publish: {file: {path: rows.jsonl}, http: {listen: \"127.0.0.1:0\"}}\n" +
                                   attribution);
  }
  static std::string url_of(Program& program) {
    if (!program.says("dashboard: ", 20'000) || !program.says(" partitions; ", 20'000)) return "";
    const std::string& said = program.said();
    const std::size_t begin = said.find("dashboard: ") + 11;
    return said.substr(begin, said.find_first_of(";\n", begin) - begin);
  }
  // Until it has an answer, or too long has passed.
  [[nodiscard]] Ended patiently(const std::string& arguments, Program& asked) const {
    Ended ended = run(arguments);
    for (int tries = 0; ended.code != 0 && tries < 200 && !asked.says("never said", 100); ++tries) {
      ended = run(arguments);
    }
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended;
  }

  kafka::MockCluster cluster_;
};

TEST_F(WhyLive, says_what_a_replay_says_also_after_it_was_killed) {
  for (const int ms : {300, 600, 900}) {
    Program killed(call("attach -c live.yaml"));
    ASSERT_TRUE(killed.says("dashboard: ", 20'000)) << killed.said();
    static_cast<void>(killed.says("never said", ms));
    killed.send(SIGKILL);
    killed.wait();
  }
  Program program(call("attach -c live.yaml"));
  const std::string url = url_of(program);
  static_cast<void>(patiently("why mrr@3 " + url, program));
  for (const std::string asked : {"mrr@3", "precision@3", "precision@3 --by surface --top 1",
                                  "precision@3 --key surface --a home --b mail", "mrr@3 --against 1h"}) {
    const Ended live = run("--json why " + asked + " " + url);
    const Ended log = run("--json why " + asked + " -c live.yaml --window hour log.jsonl");
    ASSERT_EQ(live.code, 0) << asked << live.err;
    ASSERT_EQ(log.code, 0) << asked << log.err;
    EXPECT_EQ(support::parsed_json(live.out), support::parsed_json(log.out)) << asked;
    EXPECT_EQ(run("why " + asked + " " + url).out, run("why " + asked + " -c live.yaml --window hour log.jsonl").out);
  }
  const auto found = support::parsed_json(run("--json why precision@3 " + url).out);
  EXPECT_EQ(found["ranks"].size(), 3U);
  EXPECT_EQ(found["item_groups"]["parts"].size(), 3U);
  EXPECT_EQ(found["cause"]["value"], "mail");

  expect_says(run("why mrr@3 --window half " + url), {"/api/v1/why answers with 404", "attribution.windows names hour"});
  expect_says(run("why mrr@3/user " + url), {"no mean over lists", "mrr@3"});
  expect_says(run("why mrr@5 " + url), {"400", "mrr@5"});
  expect_says(run("why mrr@3 --at 2023-11-14T00:30:00Z " + url), {"404", "ends by then"});
  expect_says(run("why mrr@3 " + url + " log.jsonl"), {"drop the other inputs"});

  const Ended top = run("top --once -m mrr@3 " + url);
  EXPECT_NE(top.out.find("changed last: mrr@3 fell by 53 %"), std::string::npos) << top.out << top.err;
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 0);
}

TEST_F(WhyLive, says_how_to_turn_it_on) {
  configure("");
  Program program(call("attach -c live.yaml"));
  const std::string url = url_of(program);
  expect_says(run("why mrr@3 " + url), {"404", "write attribution: {windows: [...]}"});
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 0);
}

}  // namespace
}  // namespace recmeter::test
