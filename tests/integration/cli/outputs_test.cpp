// The forms of what the program writes, by which scripts live. [I2], [I4], [I5].
#include <algorithm>
#include <map>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;
using Outputs = Workplace;
using Names = std::vector<std::string>;

Names keys_of(const nlohmann::ordered_json& object) {
  Names keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// Of the windows that a log of ten minutes fills.
constexpr const char* minutes = "windows: [{name: minute, size: 1m}]\n";

TEST_F(Outputs, rows_are_lines_of_json_with_their_keys_in_order) {
  scratch().put("minutes.yaml", minutes);
  const Ended ended = run("replay -c minutes.yaml good.jsonl");
  EXPECT_EQ(ended.code, 0);
  const auto rows = lines_of(ended.out);
  ASSERT_EQ(rows.size(), 10U);
  for (const std::string& line : rows) {
    const auto row = support::parsed_ordered_json(line);
    EXPECT_EQ(keys_of(row), (Names{"schema", "evaluator", "config", "window", "start", "end", "start_utc", "horizon",
                                   "segment", "stage", "revision", "matured", "incomplete", "lists", "feedback", "metrics"}));
    EXPECT_EQ(row["schema"], "recmeter.window/1");
    EXPECT_EQ(row["lists"], 60);
    EXPECT_EQ(row["metrics"]["mrr@5"]["value"], 0.5);
  }
}

TEST_F(Outputs, are_the_same_bytes_by_any_way) {
  const std::string rows = run("replay good.jsonl").out;
  EXPECT_FALSE(rows.empty());
  for (const char* arguments : {"replay good.jsonl --threads 1", "replay good.jsonl --threads 2",
                                "replay good.jsonl --threads 8", "replay good.jsonl.gz", "replay good.jsonl.zst",
                                "replay link.jsonl", "replay -f jsonl good.jsonl -o -", "replay good.jsonl -o /dev/stdout"}) {
    EXPECT_EQ(run(arguments).out, rows) << arguments;
  }
  Call piped = call("replay -");
  piped.input = "good.jsonl";
  EXPECT_EQ(test::run(piped).out, rows);
  EXPECT_EQ(run("replay good.jsonl -o rows").out, "");
  EXPECT_EQ(scratch().get("rows"), rows);
}

TEST_F(Outputs, of_a_large_log_do_not_depend_on_threads) {
  generate("--lists 20000 --disorder 20s --duplicates 0.05 --rows 0.1");
  ASSERT_EQ(run("replay log.jsonl -o one --lists lists_one --threads 1").code, 0);
  for (const char* threads : {"2", "8"}) {
    ASSERT_EQ(run(std::string("replay log.jsonl -o other --lists lists_other --threads ") + threads).code, 0);
    EXPECT_EQ(scratch().get("other"), scratch().get("one")) << threads;
    EXPECT_EQ(scratch().get("lists_other"), scratch().get("lists_one")) << threads;
  }
}

TEST_F(Outputs, replace_what_stood_there_and_leave_nothing_else) {
  auto names = scratch().names();
  EXPECT_EQ(run("replay good.jsonl -o old.jsonl -r old.json -l lists").code, 0);
  names.emplace_back("lists");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(scratch().names(), names);
  EXPECT_EQ(lines_of(scratch().get("old.jsonl")).size(), 3U);
  EXPECT_TRUE(json_in("old.json")["complete"].get<bool>());
}

TEST_F(Outputs, csv_has_a_header_and_as_many_columns_in_every_line) {
  const auto lines = lines_of(run("replay --format csv good.jsonl").out);
  ASSERT_GT(lines.size(), 10U);
  EXPECT_EQ(
      lines.front(),
      "evaluator,config,window,start,end,start_utc,horizon,segment,stage,matured,incomplete,lists,metric,value,se,ci_low,"
      "ci_high,given_relevant,relevant_share,definition");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 19) << line;
}

TEST_F(Outputs, a_table_is_fitted_to_the_columns_told) {
  const Ended wide = run("replay --format table --all good.jsonl");
  EXPECT_EQ(wide.code, 0);
  EXPECT_NE(wide.out.find("window hour, horizon 30m"), std::string::npos) << wide.out;
  Call made = call("replay --format table --all good.jsonl");
  made.environment = {{"COLUMNS", "70"}};
  const Ended narrow = test::run(made);
  EXPECT_NE(narrow.out.find("Too wide to show"), std::string::npos) << narrow.out;
  for (const std::string& line : lines_of(narrow.out)) EXPECT_LE(line.size(), 70U) << line;
  made.environment = {{"COLUMNS", "wide"}};
  EXPECT_EQ(test::run(made).out, wide.out);
}

TEST_F(Outputs, are_without_colour_where_there_is_no_terminal) {
  for (const char* no_color : {"", "1"}) {
    Call made = call("replay --format table good.jsonl");
    made.environment = {{"TERM", "xterm-256color"}, {"NO_COLOR", no_color}};
    const Ended ended = test::run(made);
    EXPECT_EQ((ended.out + ended.err).find('\x1b'), std::string::npos);
  }
}

TEST_F(Outputs, help_is_a_word_too_and_groups_every_command) {
  const Ended whole = run("help");
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(whole.out, run("--help").out);
  EXPECT_EQ(run("help replay").out, run("replay --help").out);
  EXPECT_EQ(run("help frobnicate").code, 2);
  EXPECT_EQ(whole.out.find("Subcommands:"), std::string::npos) << "a command without a group: " << whole.out;
  for (const char* heading : {"Begin with a log (recmeter infer", "Measure (recmeter replay", "Compare (recmeter compare"}) {
    EXPECT_NE(whole.out.find(heading), std::string::npos) << heading;
  }
  for (const char* format : {"JSON lines", "CSV", "TSV", "Avro", "jsonl, csv or table"}) {
    EXPECT_NE(run("help replay").out.find(format), std::string::npos) << format;
  }
}

// The words before the first space of each line that is indented by two, below a heading.
Names commands_of(const std::string& help) {
  Names commands;
  for (const std::string& line : lines_of(help)) {
    if (!line.starts_with("  ") || line.size() < 3 || std::islower(static_cast<unsigned char>(line[2])) == 0) continue;
    commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return commands;
}

TEST_F(Outputs, the_help_of_every_command_has_an_example_whose_options_exist) {
  const Names commands = commands_of(run("--help").out);
  EXPECT_GE(commands.size(), 15U);
  for (const std::string& command : commands) {
    const std::string help = run(command + " --help").out;
    const std::size_t at = help.find("For example\n  recmeter " + command);
    ASSERT_NE(at, std::string::npos) << command << ": " << help;
    const std::string example = help.substr(at, help.find('\n', at + 12) - at);
    for (std::size_t option = example.find(" --"); option != std::string::npos; option = example.find(" --", option + 1)) {
      const std::string name = example.substr(option + 1, example.find_first_of(" \n", option + 1) - option - 1);
      EXPECT_LT(help.find(name), at) << command << " has no " << name;
    }
  }
}

TEST_F(Outputs, validate_takes_the_configuration_as_replay_does) {
  scratch().put("c.yaml", "threads: 1\n");
  const Ended by_itself = run("validate c.yaml");
  EXPECT_EQ(by_itself.code, 0) << by_itself.err;
  EXPECT_EQ(run("validate --config c.yaml").out, by_itself.out);
  EXPECT_EQ(run("validate -c c.yaml").out, by_itself.out);
}

TEST_F(Outputs, a_report_has_the_keys_of_its_contract) {
  EXPECT_EQ(run("replay good.jsonl -o rows --report report").code, 0);
  const auto report = support::parsed_ordered_json(scratch().get("report"));
  Names keys = keys_of(report);
  std::erase(keys, "sums_bytes_max");  // beyond the contract
  std::erase(keys, "exposure_bytes_max");
  std::erase(keys, "popularity_bytes_max");
  EXPECT_EQ(keys, (Names{"schema", "complete", "records", "events", "feedback", "actions", "lists", "invalid_reasons",
                         "partitions", "rows", "wall_seconds", "events_per_second"}));
  const auto& feedback = report["feedback"];
  for (const auto& [outcome, count] : feedback.items()) {
    EXPECT_EQ(report["actions"]["click"][outcome].get<int>() + report["actions"]["purchase"][outcome].get<int>(), count);
  }
  EXPECT_EQ(report["schema"], "recmeter.report/1");
  EXPECT_EQ(keys_of(report["events"]), (Names{"read", "invalid", "ignored", "future", "late", "duplicate", "duplicates",
                                              "impressions", "feedback", "undecided", "late_after_idle", "future_by_clock"}));
  EXPECT_EQ(keys_of(report["events"]["duplicates"]),
            (Names{"again", "nothing_new", "taken", "shown", "late_row", "full", "once", "line"}));
  EXPECT_EQ(keys_of(report["feedback"]), (Names{"credited", "repeated", "organic", "not_in_list", "unmatched", "pending"}));
  EXPECT_EQ(keys_of(report["rows"]), (Names{"final", "truncated", "provisional"}));
  ASSERT_EQ(report["partitions"].size(), 1U);
  EXPECT_EQ(keys_of(report["partitions"][0]), (Names{"name", "records", "events", "watermark", "disorder"}));
  EXPECT_EQ(report["partitions"][0]["name"], "good.jsonl");
  EXPECT_EQ(report["events"]["read"], 1200);
  EXPECT_EQ(report["lists"], 600);
  EXPECT_GT(report["wall_seconds"].get<double>(), 0);
}

// B has lists in the places of l0, l1 and l2, C in those of l0 and l1, and both in one that nobody was shown: of the four
// lists with a click on b, l2 is no pair of B's, and B's list in the place of l0 lacks b. [I5.8]
TEST_F(Outputs, a_report_has_an_object_for_each_lane) {
  std::string log;
  const auto candidate = [](const std::string& recommender, int list, const std::string& items) {
    return R"({"type":"candidate","recommender":")" + recommender + R"(","ts":)" + std::to_string(start_ms + 10 * list + 1) +
           R"(,"list_id":"l)" + std::to_string(list) + R"(","user_id":"u)" + std::to_string(list) + R"(","items":)" + items +
           "}\n";
  };
  for (int list = 0; list < 4; ++list) log += impression(list, 10 * list);
  for (const int list : {0, 1, 2, 9}) log += candidate("B", list, list == 0 ? R"(["c"])" : R"(["c","b"])");
  for (const int list : {0, 1, 9}) log += candidate("C", list, R"(["b"])");
  for (int list = 0; list < 4; ++list) log += click(list, 500);
  scratch().put("log.jsonl", log);
  scratch().put("lanes.yaml", minutes + std::string("metrics: {names: [precision], cutoffs: [2]}\n"
                                                    "lanes: {names: [B, C], pairs: true}\n"));
  const Ended ended = run("replay --config lanes.yaml log.jsonl -o rows --report report");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto report = json_in("report");
  EXPECT_EQ(report["lanes"], nlohmann::json::parse(R"([
      {"recommender": "B", "candidates": {"joined": 3, "orphaned": 1}, "unpaired": 1,
       "feedback": {"credited": 2, "repeated": 0, "organic": 2, "not_in_list": 0, "unmatched": 0, "pending": 0}},
      {"recommender": "C", "candidates": {"joined": 2, "orphaned": 1},
       "feedback": {"credited": 2, "repeated": 0, "organic": 2, "not_in_list": 0, "unmatched": 0, "pending": 0}}])"));
  EXPECT_EQ(report["events"]["candidates"], 7);
  EXPECT_EQ(report["lists"], 4) << "of what was shown";
  EXPECT_EQ(report["feedback"]["credited"], 4) << "of what was shown";
}

TEST_F(Outputs, a_report_can_take_standard_output_when_rows_go_elsewhere) {
  const Ended ended = run("replay good.jsonl -o rows --report -");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(support::parsed_json(ended.out)["schema"], "recmeter.report/1");
}

TEST_F(Outputs, lists_have_the_mean_that_their_row_tells) {
  generate("--lists 500 --hours 1");
  scratch().put("c.yaml", "windows: [{name: day, size: 1d}]\n");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --lists lists").code, 0);
  const auto rows = lines_of(scratch().get("rows"));
  ASSERT_EQ(rows.size(), 1U);
  const json row = support::parsed_json(rows.front());
  std::map<std::string, double> sums;
  const auto lines = lines_of(scratch().get("lists"));
  for (const std::string& line : lines) {
    const json list = support::parsed_json(line);
    EXPECT_EQ(list["horizon"], "30m");
    for (const auto& [key, value] : list["metrics"].items()) sums[key] += value.get<double>();
  }
  ASSERT_EQ(row["lists"].get<std::size_t>(), lines.size());
  ASSERT_GE(sums.size(), 15U);
  for (const auto& [key, sum] : sums) {
    EXPECT_NEAR(sum / static_cast<double>(lines.size()), row["metrics"][key]["value"].get<double>(), 1e-8) << key;
  }
}

TEST_F(Outputs, hold_only_windows_between_the_times_asked_for) {
  scratch().put("minutes.yaml", minutes);
  const auto all = lines_of(run("replay -c minutes.yaml good.jsonl").out);
  const std::string minute_2_to_5 = "replay -c minutes.yaml good.jsonl --to 2023-11-14T00:05:00Z --from ";
  const Ended ended = run(minute_2_to_5 + "2023-11-14T00:02:00Z");
  EXPECT_EQ(lines_of(ended.out), Names(all.begin() + 2, all.begin() + 5));
  EXPECT_EQ(run(minute_2_to_5 + "2023-11-14T01:02:00+01:00").out, ended.out);
  EXPECT_EQ(lines_of(run("replay -c minutes.yaml good.jsonl --to now").out), all);
  EXPECT_EQ(lines_of(run("replay -c minutes.yaml good.jsonl --from -9000d").out), all);
}

// A window of the same lists says what the whole one should, but for its times and its stage.
TEST_F(Outputs, hold_one_window_over_the_log_or_between_the_times) {
  generate("--lists 20000 --seed 3 --hours 8 --start 2023-11-14T03:10:00Z --rows 0.1 --ratings 0.2 --segment-values 40");
  const std::string others =
      "join: {horizons: [10m, 1h], actions: {click: {gain: 1}, purchase: {gain: 3, after: click}, rating: {gain: 0}}}\n"
      "segments: [[variant], [surface]]\nlimits: {segment_values: 5}\ncatalog: {size: 20000}\n"
      "metrics: {cutoffs: [1, 10], names: [precision, {name: mrr, unit: user}, gmap, rmse, distinct_items, gini, "
      "user_coverage,"
      " personalisation]}\n";
  scratch().put("whole.yaml", others + "windows: [{name: w, size: all}]\n");
  const auto rows_of = [&](const std::string& arguments) {
    std::vector<nlohmann::json> rows;
    for (const std::string& line : lines_of(run("replay log.jsonl -f jsonl " + arguments).out)) {
      rows.push_back(support::parsed_json(line));
      for (const char* key : {"start", "start_utc", "end", "stage", "incomplete"}) rows.back().erase(key);
    }
    return rows;
  };
  struct Case {
    const char* window;
    const char* range;
  };
  for (const Case& c : {Case{"{name: w, size: 1d}", ""},
                        Case{"{name: w, size: 4h}", " --from 2023-11-14T04:00:00Z --to 2023-11-14T08:00:00Z"}}) {
    scratch().put("same.yaml", others + "windows: [" + c.window + "]\n");
    const auto same = rows_of(std::string("-c same.yaml") + c.range);
    EXPECT_GT(same.size(), 10U);
    for (const char* threads : {"-j 1", "-j 3"}) {
      EXPECT_EQ(rows_of(std::string("-c whole.yaml ") + threads + c.range), same) << c.window << c.range;
    }
  }
}

// It comes last, over the lists from the first to the last.
TEST_F(Outputs, end_with_the_window_over_the_log) {
  generate("--lists 2000 --seed 3 --hours 3");
  const auto rows = lines_of(run("replay log.jsonl").out);
  const auto last = support::parsed_json(rows.back());
  EXPECT_EQ(last["window"], "all");
  EXPECT_EQ(last["lists"], 2000);
  std::int64_t first_list = INT64_MAX, last_list = 0;
  for (const std::string& line : lines_of(scratch().get("log.jsonl"))) {
    const auto event = support::parsed_json(line);
    if (event["type"] != "impression") continue;
    first_list = std::min(first_list, event["ts"].get<std::int64_t>());
    last_list = std::max(last_list, event["ts"].get<std::int64_t>());
  }
  EXPECT_EQ(last["start"], first_list);
  EXPECT_EQ(last["end"], last_list + 1);
  EXPECT_EQ(last["stage"], "truncated");
  const std::string click = R"({"type":"click","user_id":"u","item_id":"i","ts":)";
  for (const std::int64_t after : {1'799'999, 1'800'000}) {
    scratch().put("longer.jsonl", scratch().get("log.jsonl") + click + std::to_string(last_list + after) + "}\n" + click +
                                      std::to_string(last_list + 1 + after) + "}\n");
    const auto longer = support::parsed_json(lines_of(run("replay longer.jsonl").out).back());
    EXPECT_EQ(longer["window"], "all");
    EXPECT_EQ(longer["stage"], after == 1'800'000 ? "final" : "truncated");
    EXPECT_EQ(longer["matured"], 1);
  }
}

TEST_F(Outputs, of_version_and_help_go_to_standard_output) {
  const Ended version = run("version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("recmeter ")) << version.out;
  EXPECT_NE(version.out.find("libraries: "), std::string::npos);
  EXPECT_EQ(run("--version").out, lines_of(version.out).front() + "\n");
  for (const char* arguments :
       {"--help", "replay --help", "generate --help", "validate --help", "init --help", "version --help"}) {
    const Ended help = run(arguments);
    EXPECT_EQ(help.code, 0) << arguments;
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("Usage: recmeter"), std::string::npos) << help.out;
    for (const std::string& line : lines_of(help.out)) EXPECT_LE(line.size(), 132U) << line;
  }
}

TEST_F(Outputs, of_a_report_name_the_rules_of_local_times) {
  scratch().put("zone.yaml", "inputs: [{unit: iso, zone: Europe/Berlin, allowed_lateness: 1h}]\n");
  scratch().put("utc.yaml", "inputs: [{unit: iso, zone: UTC, allowed_lateness: 1h}]\n");
  scratch().put("iso.jsonl", R"({"type":"impression","ts":"2023-11-14 01:00:00","list_id":"l","user_id":"u","items":["a"]})"
                             "\n");
  EXPECT_EQ(run("replay -c zone.yaml -o rows -r zone.json iso.jsonl").code, 0);
  EXPECT_EQ(run("replay -c utc.yaml -o rows -r utc.json iso.jsonl").code, 0);
  EXPECT_GE(json_in("zone.json")["tzdata"].get<std::string>().size(), 5U);
  EXPECT_FALSE(json_in("utc.json").contains("tzdata"));
}

TEST_F(Outputs, of_generate_are_what_replay_reads) {
  Call made = call("generate --lists 200 --seed 3 --truth truth.json");
  made.output = scratch().path("made.jsonl");
  const Ended generated = test::run(made);
  EXPECT_EQ(generated.code, 0);
  EXPECT_NE(generated.err.find("truth of seed 3"), std::string::npos);
  EXPECT_EQ(json_in("truth.json")["lists"], 200);
  EXPECT_EQ(run("replay made.jsonl -o rows -r report").code, 0);
  EXPECT_EQ(json_in("report")["lists"], 200);
}

}  // namespace
}  // namespace recmeter::test
