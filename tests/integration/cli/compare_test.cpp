// `recmeter compare`: what it says, its exit codes, what it refuses.
#include <set>

#include "integration/cli/workplace.h"
#include "recmeter/http/server.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

class Compare : public Workplace {
 protected:
  // `more`: instead of the end, from "decided" on.
  static std::string row(const std::string& name, int look, const std::string& verdict, const std::string& reason,
                         const std::string& more = R"("decided":null}})") {
    return R"({"schema":"recmeter.experiment/1","evaluator":"default","experiment":")" + name +
           R"(","config":"9f2c51d07be3a810","start":1793491200000,"end":)" +
           std::to_string(1793491200000 + look * 3'600'000LL) + R"(,"horizon":"30m","look":)" + std::to_string(look) +
           R"(,"closed":false,"incomplete":[],"arms":[{"arm":"A","lists":9,"users":5,"allocation":0.5},)"
           R"({"arm":"B","lists":8,"users":4,"allocation":0.5}],"mixed_users":0,"mixed_lists":0,"other_lists":0,)"
           R"("nobody_lists":0,"members_sampled":1,"srm":{"log_e":0,"max":0,"flagged_at":null},"metrics":[],"verdict":{"verdict":")" +
           verdict + R"(","reason":")" + reason + R"(","arms":{"B":{"verdict":")" + verdict + R"(","reason":")" + reason +
           R"("}},)" + more + "\n";
  }
  // Replays 300 users of two arms, two lists each, through an experiment that is over, and compares.
  Ended compared(const std::string& arms, const std::string& join = "{}", const std::string& user = "") {
    std::string log;
    const auto add = [&](int list, std::int64_t after_ms, const std::string& of) {
      log += R"({"type":"impression","ts":)" + std::to_string(start_ms + after_ms) + R"(,"list_id":"l)" +
             std::to_string(list) + R"(","user_id":")" + of + R"(","items":["a","b"],"segments":{"v":")" +
             (list % 2 == 0 ? "A" : "B") + "\"}}\n";
    };
    for (int list = 0; list < 600; ++list) add(list, list * 6'000, user.empty() ? "u" + std::to_string(list % 300) : user);
    for (int list = 600; list < 604; ++list) add(list, (list - 598) * 1'800'000, "later");
    scratch().put("log.jsonl", log);
    scratch().put("c.yaml", "join: " + join + R"(
metrics: {cutoffs: [10], names: [precision]}
experiments:
  - {name: x, arms: {key: v, values: )" +
                                arms + R"(}, start: 2023-11-14T00:00:00Z, duration: 1h, every: 1h,
     primary: [{metric: "precision@10", mde: 0.05}]}
)");
    return run("compare -c c.yaml log.jsonl");
  }
};

TEST_F(Compare, exits_with_the_verdict_of_the_newest_look) {
  scratch().put("rows", row("x", 1, "hold", "undecided") + row("x", 3, "ship", "better:m") + row("x", 2, "stop", "worse:m"));
  const Ended newest = run("compare rows");
  EXPECT_EQ(newest.code, 0) << newest.err;
  EXPECT_NE(newest.out.find("Ship B: m is better.\n"), std::string::npos) << newest.out;
  EXPECT_EQ(run("compare --at 2026-11-01T02:00:00Z rows").code, 11);
  EXPECT_EQ(run("compare --at 2026-11-01T01:30:00Z rows").code, 10);
  EXPECT_EQ(run("compare --at 2026-11-01T00:30:00Z rows").code, 2) << "there was no look yet";
  EXPECT_EQ(support::parsed_json(run("compare -f json rows").out)["look"], 3);
  EXPECT_TRUE(run("compare -f markdown rows").out.starts_with("**Ship B: "));
}

TEST_F(Compare, says_what_counts_in_its_headline_its_exit_code_and_its_row) {
  const std::string decided = R"("decided":{"end":1793494800000,"verdict":"ship","reason":"better:m"}})";
  scratch().put("old", row("x", 3, "stop", "time_up", decided + "}"));
  scratch().put("new", row("x", 3, "stop", "time_up",
                           decided + R"(,"counts":{"verdict":"ship","reason":"better:m","at":1793494800000}})"));
  for (const char* rows : {"old", "new"}) {
    const Ended ended = run(std::string("compare ") + rows);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(
        ended.out.find("Ship B: m is better; decided at 2026-11-01T01:00:00Z. The look of 2026-11-01T03:00:00Z alone says: "
                       "Stop B: the time is over, and no difference was found.\n"),
        std::string::npos)
        << ended.out;
    const auto json = support::parsed_json(run(std::string("compare -f json ") + rows).out);
    EXPECT_EQ(json["counts"]["verdict"], "ship");
    EXPECT_EQ(json["counts"]["at"], 1793494800000);
    EXPECT_EQ(json["verdict"]["verdict"], "stop");
  }
  scratch().put("broken", row("x", 3, "hold", "srm", decided + "}"));
  EXPECT_EQ(run("compare broken").code, 10);
}

TEST_F(Compare, holds_where_an_arm_has_no_list) {
  const Ended misspelt = compared("[A, Bb], control: A");
  EXPECT_EQ(misspelt.code, 10) << misspelt.out << misspelt.err;
  EXPECT_NE(misspelt.out.find("Hold: no list is of Bb; 300 lists name no arm: check how the arms are spelt.\n"),
            std::string::npos)
      << misspelt.out;
  const Ended neither = compared("[X, Y], control: X");
  EXPECT_EQ(neither.code, 10) << neither.err;
  EXPECT_NE(neither.out.find("Hold: no list is of X or Y; 600 lists name no arm"), std::string::npos) << neither.out;
  const Ended placeholders = compared("[A, B], control: A", R"({not_users: ["anonymous"]})", "anonymous");
  EXPECT_EQ(placeholders.code, 10) << placeholders.err;
  EXPECT_NE(placeholders.out.find(
                "Hold: no list is of A or B; 600 lists of the arms are of placeholder users, who are in no arm.\n"),
            std::string::npos)
      << placeholders.out;
  const auto row = support::parsed_json(run("compare -f json -c c.yaml log.jsonl").out);
  EXPECT_EQ(row["closed"], true);
  EXPECT_EQ(row["counts"]["reason"], "no_data");
  const Ended whole = compared("[A, B], control: A");
  EXPECT_EQ(whole.code, 10) << "of both arms there are lists, and nothing was learned: " << whole.out << whole.err;
  EXPECT_NE(whole.out.find("Hold B: the time is over, and B cannot be compared in precision@10: nobody did it in either arm; "
                           "test what happens, or give an absolute mde.\n"),
            std::string::npos)
      << whole.out;
}

TEST_F(Compare, asks_which_of_several_experiments_is_meant) {
  scratch().put("rows", row("x", 1, "hold", "undecided") + row("y", 1, "stop", "time_up"));
  const Ended asked = run("compare rows");
  EXPECT_EQ(asked.code, 2);
  expect_says(asked, {"there are several experiments", "--experiment: x, y"});
  EXPECT_EQ(run("compare --experiment y rows").code, 11);
  expect_says(run("compare --experiment z rows"), {"there is no experiment z", "x, y"});
}

// The API of an evaluator, so far as it tells of experiments.
class ExperimentsOnly final : public http::Handler {
 public:
  explicit ExperimentsOnly(std::string rows) : rows_(std::move(rows)) {}
  http::Response handle(const http::Request& request) noexcept override {
    if (request.path != "/api/v1/experiments") return {.status = 404, .body = http::make_body("{}")};
    return {.content_type = "application/json", .body = http::make_body("{\"experiments\":[" + rows_ + "]}")};
  }

 private:
  std::string rows_;
};

TEST_F(Compare, asks_an_evaluator_that_runs) {
  const std::string newest = row("x", 7, "stop", "worse:m");
  ExperimentsOnly evaluator(newest.substr(0, newest.size() - 1));
  auto server = http::Server::start({.listen = "127.0.0.1:0"}, evaluator);
  ASSERT_TRUE(server);
  const Ended ended = run("compare -f json " + (*server)->url());
  EXPECT_EQ(ended.code, 11) << ended.err;
  EXPECT_EQ(support::parsed_json(ended.out)["look"], 7);
  expect_says(run("compare --at 2026-11-01T02:00:00Z " + (*server)->url()), {"has only the newest look", "--at"});
  expect_says(run("compare --by v --control A " + (*server)->url()), {"has no lists", "--lists"});
}

TEST_F(Compare, of_events_is_that_of_the_rows_of_their_replay) {
  ASSERT_EQ(run("generate --quiet --lists 8000 --hours 6 --seed 5 --output log.jsonl").code, 0);
  scratch().put("c.yaml", R"(
segments: [[variant]]
metrics: {cutoffs: [10], names: [precision]}
experiments:
  - {name: x, arms: {key: variant, values: [A, B], control: A}, start: 2023-11-14T00:00:00Z, duration: 6h, every: 1h,
     primary: [{metric: "precision@10", mde: 0.05}]}
)");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --experiments looks").code, 0);
  const Ended of_rows = run("compare looks");
  const Ended of_events = run("compare -c c.yaml log.jsonl");
  EXPECT_EQ(of_events.out, of_rows.out);
  EXPECT_NE(of_events.out.find("B is "), std::string::npos) << of_events.out << of_events.err;
  EXPECT_EQ(of_events.code, of_rows.code);
  EXPECT_EQ(run("compare -c c.yaml --at 2023-11-14T02:00:00Z log.jsonl").out,
            run("compare --at 2023-11-14T02:00:00Z looks").out);
  scratch().put("short.jsonl", scratch().get("log.jsonl").substr(0, scratch().get("log.jsonl").find('\n', 4000) + 1));
  const Ended too_short = run("compare -c c.yaml short.jsonl");
  EXPECT_EQ(too_short.code, 10) << too_short.err;
  EXPECT_EQ(too_short.out, "Hold: no experiment has a look yet; a look needs events a horizon beyond its end.\n");
  const auto none = support::parsed_json(run("compare -c c.yaml -f json short.jsonl").out);
  EXPECT_EQ(none["verdict"]["reason"], "no_data");
  EXPECT_EQ(none["counts"], support::parsed_json(R"({"verdict":"hold","reason":"no_data","at":null})"));
  scratch().put("bad.jsonl", std::string(2000, '{') + "\n{\n{\n" + scratch().get("short.jsonl").substr(0, 400));
  EXPECT_EQ(run("compare -c c.yaml bad.jsonl").code, 3) << "what is wrong with the log wins";
  scratch().put("none.yaml", "segments: [[variant]]\n");
  expect_says(run("compare -c none.yaml log.jsonl"), {"none.yaml: no experiment is configured", "`experiments`"});
  expect_says(run("compare"), {"nothing to compare", "--config"});
  expect_says(run("compare -c c.yaml --by file log.jsonl"), {"--by file compares files of lists", "--config"});
}

TEST_F(Compare, of_events_by_a_key_needs_no_experiment_and_is_that_of_their_lists) {
  ASSERT_EQ(run("generate --quiet --lists 6000 --users 800 --hours 6 --seed 5 --output log.jsonl").code, 0);
  const Ended ended = run("compare --by variant log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("B against A: precision@10 +")) << ended.out;
  for (const char* said :
       {"metric ", "B against A", "95 % interval", "mrr@10", "differences at once", "one look", "--format json"}) {
    EXPECT_NE(ended.out.find(said), std::string::npos) << said << "\n" << ended.out;
  }
  EXPECT_EQ(ended.out.find("precision@5 "), std::string::npos) << "one cutoff: " << ended.out;
  scratch().put("c.yaml", "segments: [[variant]]\n");
  ASSERT_EQ(run("replay -c c.yaml log.jsonl -o rows --lists lists.jsonl").code, 0);
  const auto of_lists = lines_of(run("compare --by variant --format json lists.jsonl").out);
  const auto of_events = lines_of(run("compare --by variant --format json log.jsonl").out);
  const std::set<std::string> known(of_lists.begin(), of_lists.end());
  EXPECT_GT(of_events.size(), 10U);
  for (const std::string& line : of_events) EXPECT_TRUE(known.contains(line)) << line;
  EXPECT_EQ(lines_of(run("compare --by variant lists.jsonl").out).front(), lines_of(ended.out).front());
  EXPECT_TRUE(run("compare --by variant -f markdown log.jsonl").out.starts_with("**B against A: precision@10 "));
}

// README's first commands, and the configuration to copy: four commands from a log to a verdict.
TEST_F(Compare, leads_from_a_log_to_ship_in_four_commands) {
  ASSERT_EQ(
      run("generate --quiet --lists 30000 --users 6000 --days 9 --quality-a 0.2 --quality-b 0.6 --seed 2 --output log.jsonl")
          .code,
      0);
  const Ended inferred = run("infer log.jsonl");
  ASSERT_EQ(inferred.code, 0) << inferred.err;
  const std::string experiment = R"(
experiments:
  - name: ranker-7
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T00:00:00Z
    duration: 8d
    primary: [{metric: "precision@10", mde: 0.05}]
    guardrails: [{metric: "hit_rate@10", margin: 0.05}]
)";
  scratch().put("shop.yaml", inferred.out);
  const Ended table = run("replay --config shop.yaml log.jsonl --format table");
  EXPECT_NE(table.out.find("More: recmeter compare --config shop.yaml --by variant log.jsonl"), std::string::npos)
      << table.out << table.err;
  EXPECT_EQ(run("compare --config shop.yaml --by variant log.jsonl").code, 0);
  scratch().put("shop.yaml", inferred.out + experiment);
  const Ended ended = run("compare --config shop.yaml log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("Ship B: precision@10 is better, and no guardrail is hurt"), std::string::npos) << ended.out;
}

TEST_F(Compare, of_events_calls_nothing_better_without_a_control) {
  ASSERT_EQ(run("generate --quiet --lists 6000 --users 800 --segment-values 3 --seed 5 --output log.jsonl").code, 0);
  const Ended ended = run("compare --by variant log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("v1 against v0: ")) << ended.out;
  EXPECT_NE(ended.out.find("None of these is called a control"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("better at"), std::string::npos) << ended.out;
  const Ended named = run("compare --by variant --control v1 log.jsonl");
  EXPECT_NE(named.out.find("v0 against v1: "), std::string::npos) << named.out;
  EXPECT_EQ(named.out.find("None of these"), std::string::npos);
  expect_says(run("compare --by variant --control v7 log.jsonl"), {"--control v7", "v0, v1, v2"});
  expect_says(run("compare --by ranker log.jsonl"),
              {"no list has a value of the segment key ranker", "write `surface` or `variant`"});
  expect_says(run("compare --by varaint log.jsonl"),
              {"no list has a value of the segment key varaint", "did you mean `variant`?"});
  ASSERT_EQ(run("generate --quiet --lists 500 --segment-values 12 --output many.jsonl").code, 0);
  expect_says(run("compare --by variant many.jsonl"), {"variant has more than 10 values"});
}

TEST_F(Compare, of_a_log_that_is_not_understood_says_so_as_replay_does) {
  scratch().put("raw.csv", "at,visitor,products\n2026-03-02T09:01:24Z,v1,a|b\n");
  const Ended ended = run("compare --by ranker raw.csv");
  EXPECT_EQ(ended.code, run("replay raw.csv").code) << ended.err;
  EXPECT_EQ(ended.out, "");
}

TEST_F(Compare, plans_an_experiment_by_the_log_of_a_day) {
  ASSERT_EQ(run("generate --quiet --lists 6000 --users 4000 --seed 5 --output log.jsonl").code, 0);
  const Ended ended = run("compare --plan --by variant --mde 10% log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("Two equal arms, told apart by variant, to find a change of 10 %, by 6000 lists of "))
      << ended.out;
  const auto days_of = [this](const std::string& mde) {
    for (const std::string& line : lines_of(run("compare --plan -f json --by variant --mde " + mde + " log.jsonl").out)) {
      const auto row = support::parsed_json(line);
      if (row["metric"] == "precision@10") return row["days"].get<double>();
    }
    return 0.0;
  };
  const double of_ten = days_of("10%"), of_five = days_of("0.05");
  EXPECT_GT(of_ten, 0) << ended.out;
  EXPECT_GE(of_five / of_ten, 3) << "half the change takes four times as long, and longer where the same users come again";
  // Where few users come again and again, no number of days finds every change; then it says so, and from where on it does.
  ASSERT_EQ(run("generate --quiet --lists 6000 --users 30 --seed 5 --output few.jsonl").code, 0);
  const Ended never = run("compare --plan --by variant --mde 0.1% few.jsonl");
  if (never.out.find("never below ") != std::string::npos) {
    EXPECT_NE(never.out.find("Never: the same users come again"), std::string::npos) << never.out;
    EXPECT_NE(never.out.find("of the 6000 lists"), std::string::npos) << never.out;
  }
  expect_says(run("compare --plan --mde 0 log.jsonl"), {"--mde: 0 is no change to find", "5%"});
  expect_says(run("compare --plan --control A log.jsonl"), {"--plan reads events"});
}

TEST_F(Compare, of_an_evaluator_that_is_none_says_so) {
  ExperimentsOnly evaluator("7");
  auto server = http::Server::start({.listen = "127.0.0.1:0"}, evaluator);
  ASSERT_TRUE(server);
  const Ended ended = run("compare " + (*server)->url());
  EXPECT_EQ(ended.code, 1);
  expect_says(ended, {"/api/v1/experiments: not an answer of an evaluator", "check that the URL is recmeter's"});
  ExperimentsOnly fresh("");
  auto other = http::Server::start({.listen = "127.0.0.1:0"}, fresh);
  ASSERT_TRUE(other);
  EXPECT_EQ(run("compare " + (*other)->url()).code, 10) << "there was no look yet";
}

TEST_F(Compare, says_where_a_line_is_no_row) {
  scratch().put("rows", row("x", 1, "hold", "undecided") + "{}\n");
  const Ended ended = run("compare rows");
  EXPECT_EQ(ended.code, 1);
  expect_says(ended, {"rows, row 2: `schema` is missing or wrong"});
}

// [S10.33]
TEST_F(Compare, of_lists_of_placeholder_users_takes_each_as_a_user_of_its_own) {
  generate("--lists 4000 --users 600 --seed 7");
  scratch().put("nobody.jsonl", with_users(scratch().get("log.jsonl"), "anonymous"));
  scratch().put("v.yaml",
                "join: {not_users: [anonymous]}\nsegments: [[variant]]\nmetrics: {names: [precision], cutoffs: [10]}\n");
  ASSERT_EQ(run("replay --config v.yaml nobody.jsonl -o rows.jsonl --lists lists.jsonl").code, 0);
  for (const std::string& line : lines_of(scratch().get("lists.jsonl"))) {
    if (line.empty()) continue;
    EXPECT_NE(line.find(R"("user_id":"anonymous","nobody":true,"ts":)"), std::string::npos) << line;
  }
  const Ended ended = run("compare --by variant --control A -f json lists.jsonl");
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_FALSE(support::parsed_json(ended.out)["p"].is_null()) << "4000 users are enough: " << ended.out;
  ASSERT_EQ(run("replay --config v.yaml log.jsonl -o rows.jsonl --lists lists.jsonl").code, 0);
  EXPECT_EQ(scratch().get("lists.jsonl").find("nobody"), std::string::npos) << "they are known";
}

TEST_F(Compare, of_lists_needs_no_configuration_and_gives_no_verdict) {
  std::string lists;
  for (int user = 0; user < 400; ++user) {
    for (const char* variant : {"A", "B"}) {
      lists += R"({"list_id":"l","user_id":"u)" + std::to_string(user) + R"(","ts":1,"horizon":"30m","segments":{"v":")" +
               variant + R"("},"items":10,"relevant":1,"metrics":{"precision@10":)" +
               (user % 3 == 0 || *variant == 'B' ? "0.2" : "0.1") + "}}\n";
    }
  }
  scratch().put("lists", lists);
  const Ended ended = run("compare --by v --control A lists");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("It is no verdict"), std::string::npos) << ended.out;
  EXPECT_EQ(support::parsed_json(run("compare --by v --control A -f json lists").out)["arm"], "B");
  expect_says(run("compare --by w lists"), {"no list has a value of the segment key w", "write `v`"});
  expect_says(run("compare --by v --control C lists"), {"nothing to compare with --control C", "A, B"});
  EXPECT_EQ(run("compare --by v lists").out, ended.out) << "A is called as controls are";
  expect_says(run("compare --control A lists"), {"--control says what --by compares with"});
}

}  // namespace
}  // namespace recmeter::test
