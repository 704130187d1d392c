// A log in parts, by the program: merged they are one run, and what cannot be merged says so.
#include <algorithm>
#include <map>
#include <sstream>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

constexpr const char* judged = R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
limits: {segment_values: 1}
experiments:
  - {name: e, start: "2023-11-14T02:00:00Z", duration: 12h, every: 1h, arms: {key: variant, values: [A, B], control: A},
     primary: [{metric: "precision@5", mde: 0.1}]}
metrics: {names: [precision, {name: ndcg_list, unit: user}, user_coverage, distinct_items, personalisation], cutoffs: [1, 5]}
)";

class Parts : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    generate("--lists 3000 --users 150 --items 300 --seed 3 --duplicates 0.01 --disorder 5s");
    scratch().put("log.jsonl", scratch().get("log.jsonl") + "no event\n");
    scratch().put("c.yaml", judged);
  }
  void make_parts(int count, const std::string& options = "") const {
    for (int part = 0; part < count; ++part) {
      const std::string number = std::to_string(part);
      const Ended ended = run("replay --config c.yaml --part " + number + "/" + std::to_string(count) + " --partials p" +
                              number + ".rmp --threads " + std::to_string(part + 1) + options + " log.jsonl");
      ASSERT_EQ(ended.code, 0) << ended.err;
      EXPECT_EQ(ended.out, "");
    }
  }
  [[nodiscard]] json report(const std::string& name) const {
    json report = json::parse(scratch().get(name));
    for (const char* taken : {"wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max"})
      report.erase(taken);
    return report;
  }
};

TEST_F(Parts, merged_flat_and_as_a_tree_are_the_rows_and_the_report_of_one_run) {
  const Ended whole = run("replay --config c.yaml --format jsonl --report whole.json --experiments whole.looks log.jsonl");
  ASSERT_EQ(whole.code, 0) << whole.err;
  make_parts(3);
  const Ended flat = run("merge --format jsonl --report flat.json --experiments looks p2.rmp p0.rmp p1.rmp");
  EXPECT_EQ(flat.code, 0) << flat.err;
  EXPECT_EQ(flat.out, whole.out);
  EXPECT_EQ(report("flat.json"), report("whole.json"));
  EXPECT_NE(scratch().get("looks"), "");
  EXPECT_EQ(scratch().get("looks"), scratch().get("whole.looks"));
  EXPECT_EQ(run("merge --partials p12.rmp p1.rmp p2.rmp").code, 0);
  EXPECT_EQ(run("merge --format jsonl p0.rmp p12.rmp").out, whole.out);
}

// Reading ends early there.
TEST_F(Parts, of_a_range_are_one_run_of_it_at_any_threads) {
  generate("--lists 40000 --users 500 --items 300 --seed 4");
  const std::string range = " --sort never --to 2023-11-14T03:00:00Z";
  const Ended first = run("replay --config c.yaml --format jsonl --report whole.json" + range + " log.jsonl");
  ASSERT_EQ(first.code, 0) << first.err;
  ASSERT_NE(first.out, "");
  ASSERT_EQ(run("replay --config c.yaml --report all.json log.jsonl").code, 0);
  make_parts(3, range);
  EXPECT_LT(report("whole.json").at("events").at("read"), report("all.json").at("events").at("read"));
  const Ended merged = run("merge --format jsonl --report merged.json p0.rmp p1.rmp p2.rmp");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, first.out);
  EXPECT_EQ(report("merged.json"), report("whole.json"));
}

TEST_F(Parts, of_stamped_lines_are_those_of_the_whole_log) {
  generate(
      "--lists 2000 --users 150 --items 300 --seed 9 --disorder 5m --lateness 5m --malformed 0.01 "
      "--wrong-clocks 0.01 -o a.jsonl");
  generate("--lists 2000 --users 150 --items 300 --seed 10 --duplicates 0.02 --late 0.01 -o b.jsonl");
  for (const char* name : {"a", "b"}) {
    const Ended ended = run(std::string("stamp --config c.yaml --output ") + name + ".tsv " + name + ".jsonl");
    ASSERT_EQ(ended.code, 0) << ended.err;
  }
  for (const char* part : {"0", "1", "2"}) {
    const std::string of = std::string("replay --config c.yaml --part ") + part + "/3 --partials ";
    EXPECT_EQ(run(of + "read.rmp a.jsonl b.jsonl").code, 0);
    const Ended ended = run(of + "stamped.rmp --stamped b.tsv a.tsv");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(scratch().get("stamped.rmp"), scratch().get("read.rmp"));
  }
  scratch().put("like.jsonl", scratch().get("a.jsonl") + "196\t242\t3\n");
  EXPECT_EQ(run("replay --config c.yaml --part 0/1 --partials like.rmp like.jsonl").code, 0) << "one line that looks stamped";
  const std::string lines = scratch().get("a.tsv");
  scratch().put("less.tsv", lines.substr(lines.find('\n') + 1));
  scratch().put("d.yaml", "windows: [{name: hour, size: 1h}]\n");
  const std::map<std::string, std::pair<int, std::string>> refusals{
      {"--config c.yaml --stamped less.tsv b.tsv", {1, "give each line of recmeter stamp once"}},
      {"--config c.yaml --stamped a.tsv a.tsv", {2, "a.jsonl was stamped twice"}},
      {"--config c.yaml --stamped a.jsonl", {1, "a stamped line is damaged"}},
      {"--config d.yaml --stamped a.tsv", {2, "stamped with another configuration"}},
      {"--config c.yaml --stamped", {2, "--stamped: nothing to read"}},
      {"--config c.yaml a.tsv", {2, "a.tsv: holds lines of recmeter stamp; give --stamped too"}},
  };
  for (const auto& [arguments, refusal] : refusals) {
    const Ended ended = run("replay --part 0/1 --partials no.rmp " + arguments);
    EXPECT_EQ(ended.code, refusal.first) << arguments << ended.err;
    EXPECT_NE(ended.err.find(refusal.second), std::string::npos) << ended.err;
  }
}

constexpr const char* with_lanes = R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [precision, distinct_items, judged_share, overlap, ips, {name: ess, of: ips}], cutoffs: [1, 5]}
lanes: {names: [B, C]}
off_policy: {propensities: marginal}
)";

// Of each list of the log: the same with propensities; what B would have shown, now and then without its id; and how likely
// C would have shown it.
struct LaneLog {
  std::string shown;
  std::string others;
};
LaneLog with_others(const std::string& log) {
  LaneLog out;
  std::istringstream lines(log);
  std::size_t lists = 0;
  for (std::string line; std::getline(lines, line);) {
    json event = json::parse(line, nullptr, false);
    if (event.is_discarded() || event.at("type") != "impression") {
      out.shown += line + "\n";
      continue;
    }
    const std::size_t ranks = event.at("items").size();
    event["propensities"] = std::vector<double>(ranks, 0.5);
    out.shown += event.dump() + "\n";
    json candidate{{"type", "candidate"}, {"recommender", "B"}, {"ts", event.at("ts")}, {"user_id", event.at("user_id")}};
    candidate["items"] = std::vector<json>(event.at("items").rbegin(), event.at("items").rend());
    if (++lists % 5 != 0) candidate["list_id"] = event.at("list_id");
    json policy{{"type", "policy"}, {"recommender", "C"}, {"ts", event.at("ts")}, {"user_id", event.at("user_id")}};
    policy["list_id"] = event.at("list_id");
    policy["propensities"] = std::vector<double>(ranks, lists % 2 == 0 ? 0.25 : 0.75);
    out.others += candidate.dump() + "\n" + policy.dump() + "\n";
  }
  return out;
}

TEST_F(Parts, of_lanes_and_judged_policies_are_one_run_read_or_stamped) {
  const auto [shown, others] = with_others(scratch().get("log.jsonl"));
  scratch().put("log.jsonl", shown);
  scratch().put("others.jsonl", others);
  scratch().put("c.yaml", with_lanes);
  const Ended whole = run("replay --config c.yaml --format jsonl --report whole.json log.jsonl others.jsonl");
  ASSERT_EQ(whole.code, 0) << whole.err;
  for (const char* row : {R"("recommender":"B")", R"("target_policy":"C")"}) {
    ASSERT_NE(whole.out.find(row), std::string::npos);
  }
  ASSERT_EQ(run("stamp --config c.yaml --output log.tsv log.jsonl").code, 0);
  ASSERT_EQ(run("stamp --config c.yaml --output others.tsv others.jsonl").code, 0);
  for (const char* part : {"0", "1", "2"}) {
    const std::string of = std::string("replay --config c.yaml --part ") + part + "/3 --partials ";
    const Ended read = run(of + "p" + part + ".rmp log.jsonl others.jsonl");
    EXPECT_EQ(read.code, 0) << read.err;
    const Ended stamped = run(of + "stamped.rmp --stamped others.tsv log.tsv");
    EXPECT_EQ(stamped.code, 0) << stamped.err;
    EXPECT_EQ(scratch().get("stamped.rmp"), scratch().get(std::string("p") + part + ".rmp"));
  }
  EXPECT_EQ(run("merge --partials p20.rmp p2.rmp p0.rmp").code, 0);
  const Ended merged = run("merge --format jsonl --report merged.json p20.rmp p1.rmp");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, whole.out);
  EXPECT_EQ(report("merged.json"), report("whole.json"));
  const std::string range = " --sort never --to 2023-11-14T03:00:00Z";
  make_parts(2, range + " others.jsonl");
  EXPECT_EQ(run("merge --format jsonl p0.rmp p1.rmp").out,
            run("replay --config c.yaml --format jsonl" + range + " log.jsonl others.jsonl").out);
  scratch().put("one.yaml", std::string(with_lanes).replace(std::string(with_lanes).find("[B, C]"), 6, "[B]"));
  ASSERT_EQ(run("replay --config one.yaml --part 1/3 --partials one.rmp log.jsonl others.jsonl").code, 0);
  const Ended mixed = run("merge --format jsonl p20.rmp one.rmp");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_EQ(mixed.out, "");
  EXPECT_NE(mixed.err.find("their configurations differ"), std::string::npos) << mixed.err;
}

TEST_F(Parts, that_are_not_whole_or_not_all_there_are_refused_without_a_row) {
  make_parts(2);
  const std::string part = scratch().get("p1.rmp");
  scratch().put("d.yaml", "windows: [{name: hour, size: 1h}]\n");
  ASSERT_EQ(run("replay --config d.yaml --part 1/2 --partials d.rmp log.jsonl").code, 0);
  ASSERT_EQ(run("replay --config c.yaml --part 1/3 --partials third.rmp log.jsonl").code, 0);
  std::string mixed = part;
  std::reverse(mixed.begin() + 100, mixed.end() - 100);
  scratch().put("mixed.rmp", mixed);
  scratch().put("cut.rmp", part.substr(0, part.size() - 1));
  scratch().put("none.rmp", "some text that is no partial");
  const std::map<std::string, std::pair<int, std::string>> refusals{
      {"p0.rmp", {2, "part 1/2 is missing"}},
      {"p0.rmp p1.rmp cut.rmp", {4, "part 1/2 is not complete; run it again: cut.rmp"}},
      {"p0.rmp p1.rmp p0.rmp", {2, "part 0/2 is there twice; leave one of its partials out: p0.rmp"}},
      {"p0.rmp d.rmp", {2, "their configurations differ: p0.rmp and d.rmp"}},
      {"p0.rmp third.rmp", {2, "different numbers of parts: p0.rmp and third.rmp"}},
      {"p0.rmp mixed.rmp", {4, "a partial is damaged; make it again with replay --part: mixed.rmp"}},
      {"p0.rmp none.rmp", {4, "not a partial; give files that replay --part has written: none.rmp"}},
      {"p0.rmp absent.rmp", {1, "absent.rmp"}},
  };
  for (const auto& [arguments, refusal] : refusals) {
    const Ended ended = run("merge --format jsonl " + arguments);
    EXPECT_EQ(ended.code, refusal.first) << arguments;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_NE(ended.err.find(refusal.second), std::string::npos) << ended.err;
  }
}

TEST_F(Parts, of_an_experiment_with_too_many_members_are_refused_without_a_row) {
  std::string few = judged;
  few.replace(few.find("segment_values: 1"), 17, "segment_values: 1, experiment_users: 100");
  scratch().put("c.yaml", few);
  make_parts(2);
  const Ended ended = run("merge --format jsonl --experiments looks p0.rmp p1.rmp");
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_NE(ended.err.find("more members than limits.experiment_users"), std::string::npos) << ended.err;
}

TEST_F(Parts, are_refused_by_name_for_what_does_not_travel) {
  scratch().put("ends", "log/0\t0\t7\n");
  scratch().put("novel.yaml", "metrics: {names: [novelty]}\n");
  scratch().put("novel_lanes.yaml", "metrics: {names: [novelty]}\nlanes: {names: [B]}\n");
  const std::map<std::string, std::string> refusals{
      {"--config novel_lanes.yaml --part 0/2 --partials p.rmp", "`novelty` needs what all users did, which no part knows"},
      {"--config novel.yaml --part 0/2 --partials p.rmp", "`novelty` needs what all users did, which no part knows"},
      {"--part 0/2 --partials p.rmp --curves c.jsonl", "--curves is of a whole run"},
      {"--part 0/2 --partials p.rmp --from -3d", "-3d is another time for each part"},
      {"--partitions 0/2", "--partitions and --partials go together"},
      {"--part 0/2 --partials p.rmp --stamped --ends ends", "remove it beside --stamped"},
      {"--part 0/2 --partials ends --ends ends", "ends is what --ends reads as well"},
      {"--part 0/2 --partials p.rmp --experiments e.jsonl", "remove --experiments"},
      {"--part 2/2 --partials p.rmp", "2/2 is not a part"},
      {"--partitions 2/2 --partials p.rmp", "--partitions: 2/2 is not a part"},
      {"--partitions 0/2 --partials p.rmp", "use --part, or recmeter stamp: log.jsonl"},
      {"--partitions 0/2 --part 0/2 --partials p.rmp", "give one of them"},
      {"--partitions 0/2 --partials p.rmp --stamped", "--stamped lines of all of them; remove one"},
      {"--partitions 0/2 --partials p.rmp --ends ends", "use --part, or recmeter stamp: log.jsonl"},
      {"--part 0/2", "--part and --partials go together"},
  };
  for (const auto& [arguments, sentence] : refusals) {
    const Ended ended = run("replay " + arguments + " log.jsonl");
    EXPECT_EQ(ended.code, 2) << arguments;
    EXPECT_NE(ended.err.find(sentence), std::string::npos) << ended.err;
  }
  scratch().put("topics.yaml", "inputs: [{topic: log}]\nkafka: {brokers: 127.0.0.1:9}\n");
  const Ended without_ends = run("replay --config topics.yaml --partitions 0/2 --partials p.rmp");
  EXPECT_EQ(without_ends.code, 2);
  EXPECT_NE(without_ends.err.find("write the ends once by recmeter replay --pin ends"), std::string::npos)
      << without_ends.err;
  EXPECT_EQ(run("prequential --config c.yaml --part 0/2 log.jsonl").code, 2);
  EXPECT_NE(run("merge p.rmp").err.find("p.rmp"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::test
