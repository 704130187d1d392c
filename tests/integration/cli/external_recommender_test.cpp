// Recommenders in other programs: what a good one gives, and the documented end of every bad one. docs/recommenders.md.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

// A model that recommends what was learned last, and what it does instead, by its argument.
constexpr const char* program = R"py(
import json, os, sys, time

does = sys.argv[1]
after = int(sys.argv[2]) if len(sys.argv) > 2 else 3  # messages that it answers first
latest = []


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(message):
    lists = []
    for request in message["requests"]:
        out = request.get("exclude", [])
        items = [item for item in reversed(latest) if item not in out][: request["n"]]
        lists.append({"id": request["id"], "items": items, "confidence": [1 / (1 + rank) for rank in range(len(items))]})
    return {"recommend": message["recommend"], "lists": lists}


print("loading", file=sys.stderr, flush=True)
if does == "cannot_load":
    sys.exit("no such file: model.bin")
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        hello = {"hello": "recmeter.recommender/1"} if does != "another" else {"hello": "recmeter.recommender/9"}
        first = json.dumps({"recommend": 0, "lists": []}) + "\n" if does == "knows_before" else ""
        sys.stdout.write(json.dumps(hello) + "\n" + first)
        sys.stdout.flush()
        if does == "never_reads":
            time.sleep(1000)
        while does == "only_talks":
            say({"recommend": 0, "lists": []})
    for event in message.get("learn", []):
        if event["item_id"] in latest:
            latest.remove(event["item_id"])
        latest.append(event["item_id"])
    if "recommend" not in message:
        continue
    made = answer(message)
    if message["recommend"] < after:
        say(made)
    elif does == "sleeps":
        time.sleep(1000)
    elif does == "is_late_once":
        time.sleep(1 if message["recommend"] == after else 0)
        say(made)
    elif does == "dies":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(7)
    elif does == "is_garbled":
        print("<html>", flush=True)
    elif does == "has_no_lists":
        say({"recommend": message["recommend"]})
    elif does == "shuffles":
        made["lists"].reverse()
        say(made)
    elif does == "says_all_twice":
        say(made)
        say(made)
        made["lists"] += made["lists"]
    elif does == "repeats_itself":
        while True:
            say({"recommend": 0, "lists": []})
    elif does == "is_too_sure":
        for one in made["lists"]:
            one["confidence"] = [7] * len(one["items"])
        say(made)
    elif does == "foresees":  # in one piece: both are there before the second is asked
        further = {"recommend": message["recommend"] + 1, "lists": []}
        sys.stdout.write(json.dumps(made) + "\n" + json.dumps(further) + "\n")
        sys.stdout.flush()
    elif does == "runs_ahead":
        say({"recommend": message["recommend"] + 1, "lists": []})
    elif does == "writes_without_end":
        while True:
            sys.stdout.write("x" * 65536)
    elif does == "stops_reading":
        say(made)
        time.sleep(1000)
    elif does == "is_careless":
        for one in made["lists"]:
            one["items"] = one["items"][:1] * 2 + ["nobody", *latest]
            del one["confidence"]
        say(made)
    else:
        say(made)
)py";

class ExternalRecommender : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    generate("--lists 300 --users 30 --items 80 --seed 3");
    scratch().put("model.py", program);
  }
  // `more`: keys of the recommender.
  void configure(const std::string& arguments, const std::string& more, const std::string& rules = "") const {
    scratch().put("ours.yaml",
                  "windows: [{name: hour, size: 1h}, {name: all, size: all}]\n"
                  "metrics: {names: [hit_rate, mrr, distinct_items], cutoffs: [5]}\n" +
                      rules + "recommenders:\n  - {name: top, kind: popularity}\n" +
                      "  - {name: ours, kind: process, command: [python3, model.py, " + arguments + "]" + more + "}\n");
  }
  [[nodiscard]] Ended judged(const std::string& arguments = "") const {
    return run("prequential --config ours.yaml log.jsonl --format jsonl --record lists.jsonl " + arguments);
  }
  [[nodiscard]] std::vector<std::string> of(const std::string& name, const std::string& rows) const {
    std::vector<std::string> out;
    for (const std::string& row : lines_of(rows)) {
      if (row.find(R"("segment":{"recommender":")" + name + R"(")") != std::string::npos) out.push_back(row);
    }
    return out;
  }
  [[nodiscard]] std::size_t incomplete(const std::vector<std::string>& rows) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        rows, [](const std::string& row) { return row.find(R"("incomplete":["recommender"])") != std::string::npos; }));
  }
};

TEST_F(ExternalRecommender, is_judged_as_what_it_recorded_to_the_byte) {
  configure("well", "");
  const Ended first = judged();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(of("ours", first.out).size(), of("top", first.out).size());
  EXPECT_NE(first.err.find("ours: loading"), std::string::npos) << first.err;
  EXPECT_NE(first.err.find("0 late, 0 bad items; an answer took "), std::string::npos) << first.err;
  scratch().put("again.yaml", scratch().get("ours.yaml"));
  std::string again = scratch().get("ours.yaml");
  again.replace(again.find("  - {name: ours"), std::string::npos,
                "  - {name: ours, kind: recorded, file: " + scratch().path("lists.jsonl") + "}\n");
  scratch().put("ours.yaml", again);
  const Ended second = run("prequential --config ours.yaml log.jsonl --format jsonl");
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
}

TEST_F(ExternalRecommender, changes_no_row_of_a_built_in_one) {
  configure("well", "");
  const auto beside = of("top", judged().out);
  scratch().put("ours.yaml", scratch().get("ours.yaml").substr(0, scratch().get("ours.yaml").find("  - {name: ours")));
  EXPECT_EQ(of("top", judged().out), beside);
}

TEST_F(ExternalRecommender, is_judged_the_same_whatever_the_batch_and_the_threads) {
  configure("well", ", batch: 1", "prequential: {step: 10m}\n");
  const std::string one_by_one = judged().out;
  configure("well", ", batch: 7", "prequential: {step: 10m}\n");
  EXPECT_EQ(judged("-j 8").out, one_by_one);
}

TEST_F(ExternalRecommender, may_answer_in_any_order_and_twice) {
  configure("well", "", "prequential: {step: 10m}\n");
  const std::string well = judged().out;
  for (const char* way : {"shuffles", "says_all_twice"}) {
    configure(way, "", "prequential: {step: 10m}\n");
    const Ended ended = judged();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, well) << way;
  }
}

TEST_F(ExternalRecommender, has_bad_items_taken_out_and_counted) {
  configure("is_careless, 0", "");
  const Ended ended = judged();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err.find(" 0 bad items"), std::string::npos) << ended.err;
  for (const std::string& line : lines_of(scratch().get("lists.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    if (list["recommender"] != "ours") continue;
    auto items = list["items"].get<std::vector<std::string>>();
    std::ranges::sort(items);
    EXPECT_EQ(std::ranges::adjacent_find(items), items.end());
    EXPECT_EQ(std::ranges::count(items, "nobody"), 0);
  }
}

struct Bad {
  std::string does, more, said;
};

TEST_F(ExternalRecommender, that_fails_ends_the_run_with_what_it_did) {
  for (const auto& [does, more, said] : std::vector<Bad>{
           {"sleeps", ", limit: 1s", "recommender ours gave no answer to request 3 (user "},
           {"repeats_itself", ", limit: 1s", "recommender ours gave no answer to request 3 (user "},
           {"dies", "", "recommender ours ended (exit code 7); its last words: out of memory"},
           {"is_garbled", "", "recommender ours wrote a line that is not an answer: <html>"},
           {"has_no_lists", "", "recommender ours gave an answer without lists"},
           {"is_too_sure", "", "confidence from 0 to 1, and both as long as items"},
           {"runs_ahead", "", "recommender ours answered request 4 before it was asked"},
           {"foresees", "", "recommender ours answered request 4 before it was asked"},
           {"knows_before", "", "recommender ours answered request 0 before it was asked"},
           {"writes_without_end", "", "recommender ours wrote a line of more than 1048576 bytes"},
           {"another", "", "recommender ours does not answer hello with {\"hello\":\"recmeter.recommender/1\"}"}}) {
    configure(does, more);
    const Ended ended = judged("-o rows.jsonl");
    EXPECT_EQ(ended.code, 1) << does;
    EXPECT_NE(ended.err.find(said), std::string::npos) << does << ": " << ended.err;
    EXPECT_FALSE(std::filesystem::exists(scratch().path("rows.jsonl"))) << does;
  }
}

TEST_F(ExternalRecommender, that_reads_no_more_ends_the_run) {
  configure("stops_reading, 0", ", limit: 1s");
  const Ended ended = judged("-o rows.jsonl");
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("recommender ours gave no answer to request 1 (user "), std::string::npos) << ended.err;
}

// What it is sent goes into its pipe until that is full; then it is waited for no longer than the limit.
TEST_F(ExternalRecommender, that_takes_no_input_ends_the_run) {
  std::string much;  // to learn before the first request
  for (int n = 0; n < 40'000; ++n) {
    much += R"({"type":"click","ts":)" + std::to_string(1'500'000'000'000 + n) + R"(,"user_id":"u","item_id":"i)" +
            std::to_string(n % 50) + "\"}\n";
  }
  scratch().put("log.jsonl", much + scratch().get("log.jsonl"));
  for (const char* does : {"never_reads", "only_talks"}) {
    configure(does, ", limit: 1s", "time: {max_step: 0s}\nprequential: {at: impressions}\n");
    const Ended ended = judged("-o rows.jsonl");
    EXPECT_EQ(ended.code, 1) << does;
    EXPECT_NE(ended.err.find("recommender ours took no more input within 1s"), std::string::npos) << does << ended.err;
    EXPECT_FALSE(std::filesystem::exists(scratch().path("rows.jsonl"))) << does;
  }
}

TEST_F(ExternalRecommender, that_cannot_load_ends_the_run_with_its_last_words) {
  configure("cannot_load", "");
  const Ended ended = judged("-o rows.jsonl");
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.err.find("recommender ours ended (exit code 1); its last words: no such file: model.bin"),
            std::string::npos)
      << ended.err;
}

// `on_failure: empty` holds from the beginning: at its start, and at hello.
TEST_F(ExternalRecommender, that_fails_before_it_is_asked_may_have_empty_lists_alone) {
  configure("well", "");
  const auto beside = of("top", judged().out);
  for (const auto& [who, said] : std::vector<std::pair<std::string, std::string>>{
           {"command: [python3, model.py, cannot_load]", "ended (exit code 1); its last words: no such file: model.bin"},
           {"command: [python3, model.py, another]", "does not answer hello with"},
           {"command: [no-such-program]", "no-such-program cannot be started"},
           {"connect: \"unix:/nowhere\"", "nobody answers at unix:/nowhere"}}) {
    std::string config = scratch().get("ours.yaml");
    config.replace(config.find("  - {name: ours"), std::string::npos,
                   "  - {name: ours, kind: process, " + who + ", on_failure: empty}\n");
    scratch().put("ours.yaml", config);
    const Ended ended = judged("--report report.json");
    ASSERT_EQ(ended.code, 0) << who << ended.err;
    EXPECT_NE(ended.err.find("its lists are empty from then on"), std::string::npos) << ended.err;
    EXPECT_EQ(of("top", ended.out), beside) << who;
    const auto rows = of("ours", ended.out);
    EXPECT_EQ(rows.size(), beside.size());
    for (const std::string& row : rows) {
      EXPECT_EQ(support::parsed_json(row)["incomplete"].back(), "recommender") << "no answer is there: " << row;
    }
    const json ours = json_in("report.json")["prequential"]["recommenders"][1];
    EXPECT_NE(ours["failure"].get<std::string>().find(said), std::string::npos) << ours;
    EXPECT_EQ(ours["answered"], 0);
    EXPECT_EQ(ours["empty"], ours["lists"]);
  }
}

TEST_F(ExternalRecommender, has_what_it_answered_in_the_report) {
  configure("is_careless, 0", "");
  ASSERT_EQ(judged("-o rows.jsonl --report well.json").code, 0);
  const json well = support::parsed_json(scratch().get("well.json"));
  EXPECT_EQ(well["schema"], "recmeter.report/1");
  const json& counts = well["prequential"];
  EXPECT_EQ(counts["reachable_share"].get<double>(), counts["reachable"].get<double>() / counts["targets"].get<double>());
  ASSERT_EQ(counts["recommenders"].size(), 2U);
  const json& top = counts["recommenders"][0];
  const json& ours = counts["recommenders"][1];
  EXPECT_EQ(top["kind"], "popularity");
  EXPECT_EQ(top["lists"], counts["requests"]);
  EXPECT_FALSE(top.contains("late"));
  EXPECT_EQ(ours["requests"], counts["requests"]);
  EXPECT_EQ(ours["answered"], counts["requests"]);
  EXPECT_EQ(ours["late"], 0);
  EXPECT_GT(ours["bad_items"], 100);
  EXPECT_GT(ours["seconds"]["p50"], 0.0);
  EXPECT_GE(ours["seconds"]["p99"], ours["seconds"]["p50"]);
  std::uint64_t empty = 0;
  for (const std::string& line : lines_of(scratch().get("lists.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    empty += list["recommender"] == "ours" && list["items"].empty() ? 1U : 0U;
  }
  EXPECT_EQ(ours["empty"], empty);
  EXPECT_EQ(well["rows"]["final"].get<std::size_t>() + well["rows"]["truncated"].get<std::size_t>(),
            lines_of(scratch().get("rows.jsonl")).size());

  configure("dies, 3", ", on_failure: empty");
  ASSERT_EQ(judged("-o rows.jsonl --report died.json").code, 0);
  const json died = support::parsed_json(scratch().get("died.json"));
  const json& gone = died["prequential"]["recommenders"][1];
  EXPECT_EQ(gone["answered"], 3);
  EXPECT_GE(gone["empty"].get<int>(), gone["requests"].get<int>() - 3);
  EXPECT_EQ(gone["failure"], "ended (exit code 7); its last words: out of memory");
  EXPECT_NE(died["warnings"][0].get<std::string>().find("its lists are empty from then on"), std::string::npos);
}

TEST_F(ExternalRecommender, that_fails_may_have_empty_lists_from_then_on) {
  for (const char* does : {"dies", "is_garbled", "writes_without_end"}) {
    configure(does, ", on_failure: empty");
    const Ended ended = judged();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("its lists are empty from then on"), std::string::npos) << ended.err;
    EXPECT_GT(incomplete(of("ours", ended.out)), 0U);
    EXPECT_EQ(incomplete(of("top", ended.out)), 0U);
    EXPECT_EQ(of("ours", ended.out).size(), of("top", ended.out).size());
  }
}

TEST_F(ExternalRecommender, that_is_late_has_an_empty_list_and_goes_on) {
  configure("is_late_once, 5", ", budget: 400ms");
  const Ended ended = judged();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err.find(" 0 late,"), std::string::npos) << ended.err;
  const auto rows = of("ours", ended.out);
  EXPECT_GT(incomplete(rows), 0U);
  EXPECT_LT(incomplete(rows), rows.size());
}

TEST_F(ExternalRecommender, that_is_waited_for_does_not_keep_a_user_from_ending_the_run) {
  configure("sleeps, 0", "");
  Program running(call("prequential --config ours.yaml log.jsonl -o rows.jsonl"));
  ASSERT_TRUE(running.says("ours: loading", 30'000));
  running.send(SIGINT);
  const Ended ended = running.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_NE(ended.err.find("recmeter: interrupted; nothing was written"), std::string::npos) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(scratch().path("rows.jsonl")));
}

TEST_F(ExternalRecommender, is_refused_where_it_cannot_be) {
  for (const auto& [who, code, said] : std::vector<std::tuple<std::string, int, std::string>>{
           {"{name: a, kind: process}", 2, "is a process, and no program is named"},
           {"{name: a, kind: popularity, command: [x]}", 2, "has a program too many"},
           {"{name: a, kind: process, command: [x], connect: \"unix:/x\"}", 2, "has a program too many"},
           {"{name: a, kind: process, connect: \"tcp:example.org:80\"}", 2, "is not an address of this machine"},
           {"{name: a, kind: process, connect: \"unix:/nowhere\"}", 1, "nobody answers at unix:/nowhere"},
           {"{name: a, kind: process, command: [no-such-program]}", 1, "no-such-program cannot be started"}}) {
    scratch().put("ours.yaml", "recommenders: [" + who + "]\n");
    const Ended ended = judged("-o rows.jsonl");
    EXPECT_EQ(ended.code, code) << who << ended.err;
    EXPECT_NE(ended.err.find(said), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace recmeter::test
