// Everything a person can get wrong: the exit code, a sentence with place and remedy, and nothing left behind.
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <string_view>

#include "integration/cli/workplace.h"
#include "recmeter/base/error.h"
#include "recmeter/base/notice.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

struct Case {
  const char* name;
  const char* arguments;
  int code;
  std::vector<std::string> says;
  const char* input = "/dev/null";
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "recmeter " << c.arguments;
}

// Whether this build has the command: where the edges are not built, these are not there.
bool is_there(std::string_view command) {
  static constexpr std::array<std::string_view, 3> live = {"attach", "demo", "top"};
  return RECMETER_IS_LIVE || std::ranges::find(live, command) == live.end();
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class Refused : public Workplace, public testing::WithParamInterface<Case> {};

TEST_P(Refused, with_a_remedy_and_leaves_everything_as_it_was) {
  scratch().put("topics.yaml", "inputs: [{topic: impressions}]\n");
  scratch().put("kcat.yaml", "inputs: [{file: good.jsonl, format: kcat}]\n");
  scratch().put("plain.yaml", "threads: 1\n");
  const auto before = everything();
  Call made = call(GetParam().arguments);
  for (std::string& argument : made.arguments) std::ranges::replace(argument, '~', ' ');
  made.input = GetParam().input;
  const Ended ended = test::run(made);
  EXPECT_EQ(ended.code, GetParam().code) << ended.err;
  expect_says(ended, GetParam().says);
  expect_clean_messages(ended.err);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(everything(), before);
}

const Case command_lines[] = {
    {"an_unknown_command", "frobnicate", 2, {"frobnicate is no command here", "see recmeter --help"}},
    {"a_command_misspelt", "replya good.jsonl", 2, {"replya is no command here; did you mean replay?"}},
    {"an_option_misspelt", "replay --ouput x good.jsonl", 2, {"--ouput is no option here; did you mean --output?"}},
    {"an_option_misspelt_with_value", "replay --reprot=x good.jsonl", 2, {"did you mean --report?"}},
    {"an_option_of_another_command", "validate --threads 2 plain.yaml", 2, {"--threads is no option here"}},
    {"a_word_too_many", "version now", 2, {"now is one word too many here; see recmeter version --help"}},
    {"two_configurations", "validate plain.yaml topics.yaml", 2, {"topics.yaml is one word too many"}},
    {"no_configuration", "validate", 2, {"no configuration is named; write recmeter validate --config FILE"}},
    {"a_configuration_twice", "validate a.yaml --config b.yaml", 2, {"two configurations are named, a.yaml and b.yaml"}},
    {"a_configuration_among_logs",
     "replay c.yaml good.jsonl",
     2,
     {"c.yaml is a configuration, no log; name it with --config"}},
    {"an_option_without_its_value", "replay good.jsonl --output", 2, {"--output needs a value; see recmeter replay --help"}},
#if RECMETER_IS_LIVE
    {"durations_with_blanks", "top http://127.0.0.1:1 --every ~2s~", 2, {"--every: there is a blank around"}},
#endif
    {"numbers_with_blanks", "generate --lists ~5", 2, {"--lists: there is a blank around"}},
    {"shares_with_blanks", "generate --lists 5 --organic ~0.5", 2, {"--organic: there is a blank around"}},
    {"lengths_with_blanks", "generate --lists 5 --horizon 1m~", 2, {"--horizon: "}},
    {"rates_with_blanks", "validate plain.yaml --rate ~5", 2, {"--rate: there is a blank around"}},
    {"an_unknown_format", "replay --format xml good.jsonl", 2, {"--format: xml is not known", "`jsonl`, `csv` or `table`"}},
    {"a_format_misspelt", "replay --format tabel good.jsonl", 2, {"did you mean `table`?"}},
    {"an_unknown_progress", "replay --progress bar good.jsonl", 2, {"--progress: bar is not known", "`plain`"}},
    {"threads_that_are_no_number",
     "replay --threads many good.jsonl",
     2,
     {"--threads: many is not a whole number from 0 to 1024"}},
    {"too_many_threads", "replay --threads 1025 good.jsonl", 2, {"1025 is not a whole number from 0 to 1024"}},
    {"negative_threads", "replay --threads=-1 good.jsonl", 2, {"-1 is not a whole number"}},
    {"a_fraction_of_a_thread", "replay --threads 1.5 good.jsonl", 2, {"1.5 is not a whole number"}},
    {"a_time_that_is_none",
     "replay --from yesterday good.jsonl",
     2,
     {"--from: yesterday is not a time; write 2026-11-20T00:00:00Z"}},
    {"a_time_without_offset", "replay --to 2023-11-14T00:00:00 good.jsonl", 2, {"--to: 2023-11-14T00:00:00 is not a time"}},
    {"an_ago_without_unit", "replay --from -3 good.jsonl", 2, {"is not a time"}},
    {"from_after_to",
     "replay --from 2023-11-15T00:00:00Z --to 2023-11-14T00:00:00Z good.jsonl",
     2,
     {"--to must lie after --from"}},
    {"from_equals_to", "replay --from 2023-11-15T00:00:00Z --to 2023-11-15T00:00:00Z good.jsonl", 2, {"--to must lie after"}},
    {"no_input", "replay", 2, {"nothing to read", "or - for standard input"}},
    {"no_dump", "replay -c kcat.yaml", 1, {"line 1 of good.jsonl", "not what `kcat -J` writes", "set `format: jsonl`"}},
    {"no_lists_to_generate", "generate --lists 0", 2, {"--lists is 0; give 1 to"}},
    {"lists_that_are_no_number", "generate --lists abc", 2, {"--lists: abc is no such number; see recmeter generate --help"}},
    {"negative_days", "generate --days -3", 2, {"not a length of time; give a positive number"}},
    {"a_split_without_directory", "generate --split hour", 2, {"--split needs a directory; give --output DIR"}},
};
INSTANTIATE_TEST_SUITE_P(CommandLine, Refused, testing::ValuesIn(command_lines), name_of);

const Case same_files[] = {
    {"an_input_twice", "replay good.jsonl good.jsonl", 2, {"good.jsonl is named twice", "name it once"}},
    {"an_input_by_two_spellings", "replay good.jsonl ./good.jsonl", 2, {"good.jsonl and ./good.jsonl are one file"}},
    {"an_input_and_a_link_to_it", "replay link.jsonl good.jsonl", 2, {"link.jsonl and good.jsonl are one file"}},
    {"standard_input_twice", "replay - -", 2, {"- is named twice"}},
    {"a_file_and_its_redirection", "replay good.jsonl -", 2, {"good.jsonl and - are one file"}, "good.jsonl"},
    {"an_output_that_is_an_input",
     "replay good.jsonl -o good.jsonl",
     2,
     {"--output: good.jsonl is an input as well", "choose another"}},
    {"an_output_that_is_a_linked_input", "replay link.jsonl -o good.jsonl", 2, {"good.jsonl is an input as well"}},
    {"an_output_that_is_redirected_in", "replay - -o good.jsonl", 2, {"good.jsonl is an input as well"}, "good.jsonl"},
    {"a_report_that_is_an_input", "replay good.jsonl --report ./good.jsonl", 2, {"--report: ./good.jsonl is an input"}},
    {"an_output_that_is_the_configuration",
     "replay good.jsonl -c plain.yaml -o plain.yaml",
     2,
     {"is the configuration as well"}},
    {"a_report_that_is_the_output",
     "replay good.jsonl -o new --report new",
     2,
     {"--report: new is what --output writes as well"}},
    {"a_report_that_is_the_output_spelt_otherwise",
     "replay good.jsonl -o new --report folder/../new",
     2,
     {"is what --output writes"}},
    {"lists_that_are_the_report",
     "replay good.jsonl --report new --lists ./new",
     2,
     {"--lists: ./new is what --report writes"}},
    {"a_report_among_the_rows", "replay good.jsonl --report -", 2, {"--report: standard output is what --output writes"}},
    {"a_report_among_the_rows_by_its_device", "replay good.jsonl -o - --report /dev/stdout", 2, {"standard output is what"}},
};
INSTANTIATE_TEST_SUITE_P(SameFile, Refused, testing::ValuesIn(same_files), name_of);

const Case inputs[] = {
    {"a_missing_file", "replay none.jsonl -o old.jsonl", 1, {"cannot open the input", "check the path", "none.jsonl"}},
    {"a_missing_file_among_good_ones", "replay good.jsonl none.jsonl -o old.jsonl", 1, {"check the path", "none.jsonl"}},
    {"a_path_through_a_file", "replay good.jsonl/x -o old.jsonl", 1, {"check the path", "good.jsonl/x"}},
    {"a_directory", "replay folder -o old.jsonl", 1, {"is a directory; name the files in it, such as folder/*.jsonl"}},
    {"a_cut_gzip", "replay cut.gz -o old.jsonl --report old.json", 1, {"ends early", "Copy it again", "cut.gz, byte 500"}},
    {"a_damaged_zstd", "replay damaged.zst -o old.jsonl --lists old.json", 1, {"damaged", "copy it again", "damaged.zst"}},
    {"a_packing_that_is_not_read", "replay archive.xz -o new", 1, {"is xz, which is not read; convert it: xz -dc"}},
    {"a_link_to_nothing", "replay dangling", 1, {"check the path", "dangling"}},
    {"a_cut_gzip_from_standard_input", "replay - -o old.jsonl", 1, {"ends early", "stdin, byte 500"}, "cut.gz"},
};
INSTANTIATE_TEST_SUITE_P(Input, Refused, testing::ValuesIn(inputs), name_of);

const Case outputs[] = {
    {"a_directory_that_is_missing", "replay good.jsonl -o none/x", 1, {"create the directory first (mkdir -p)", "none/x"}},
    {"a_report_in_a_missing_directory", "replay good.jsonl -o old.jsonl --report none/x", 1, {"mkdir -p", "none/x"}},
    {"lists_in_a_missing_directory", "replay good.jsonl -o new --lists none/x", 1, {"mkdir -p", "none/x"}},
    {"a_directory", "replay good.jsonl -o folder", 1, {"name a file, not a directory", "folder"}},
    {"a_link_to_nothing", "replay good.jsonl -o dangling", 1, {"symbolic link to nothing; create its target or remove it"}},
    {"a_full_disk", "replay good.jsonl -o /dev/full --report old.json", 1, {"No space left", "free some space", "/dev/full"}},
    {"a_full_disk_for_the_report", "replay good.jsonl -o old.jsonl --report /dev/full", 1, {"free some space", "/dev/full"}},
    {"a_full_disk_for_the_report_only", "replay good.jsonl -o new --report /dev/full", 1, {"free some space", "/dev/full"}},
    {"a_full_disk_for_lists", "replay good.jsonl -o old.jsonl --lists /dev/full", 1, {"free some space", "/dev/full"}},
    {"a_full_disk_for_a_table", "replay good.jsonl --format table -o /dev/full", 1, {"free some space", "/dev/full"}},
    {"generated_to_a_full_disk",
     "generate --lists 100 --quiet -o /dev/full",
     1,
     {"cannot write /dev/full", "free some space"}},
    {"generated_to_a_directory", "generate --lists 100 --quiet -o folder", 1, {"cannot write folder", "choose another"}},
};
INSTANTIATE_TEST_SUITE_P(Output, Refused, testing::ValuesIn(outputs), name_of);

class Distrusted : public Workplace, public testing::WithParamInterface<Case> {
  void SetUp() override {
    Workplace::SetUp();
    std::string backwards;
    for (int minute = 600; minute > 0; --minute) backwards += impression(minute, 60'000 * minute);
    scratch().put("backwards.jsonl", backwards);
    std::string ahead;  // every tenth; the last one ends the file, so that time moved on
    for (int i = 0; i < 900; ++i) ahead += impression(i, 1000 * i + (i % 10 == 9 ? 86'400'000 : 0));
    scratch().put("ahead.jsonl", ahead);
    scratch().put("strict.yaml", "limits: {invalid_share: 0}\n");
    scratch().put("one_bad.jsonl", small_log() + "{\n");
    std::string seconds = R"({"type":"impression","ts":1699920000,"list_id":"l","user_id":"u","items":["a"]})"
                          "\n";
    scratch().put("seconds.jsonl", seconds);
    scratch().put("clicks.jsonl", click(1, 0) + click(2, 1000));
    scratch().put("others.jsonl", R"({"type":"view","ts":1699920000000})"
                                  "\n");
  }
};

TEST_P(Distrusted, ends_with_3_and_still_writes) {
  const Ended ended = run(std::string("replay -o rows --report report ") + GetParam().arguments);
  EXPECT_EQ(ended.code, GetParam().code) << ended.err;
  expect_says(ended, GetParam().says);
  expect_clean_messages(ended.err);
  EXPECT_TRUE(json_in("report")["complete"].get<bool>());
  EXPECT_TRUE(std::filesystem::exists(scratch().path("rows")));
}

const Case distrusted[] = {
    {"malformed_json",
     "bad.jsonl",
     3,
     {"100 % of the events are invalid", "limits.invalid_share (20 %)", "bad.jsonl (100 of 100)",
      "reason not_json: give a log of one JSON object a line", "; it is read as JSON lines, since ", "set inputs.format"}},
    {"binary_garbage",
     "garbage",
     3,
     {"100 % of the events are invalid", "garbage", "not_json: give a log of one JSON object"}},
    {"the_worst_of_several", "good.jsonl bad.jsonl -c strict.yaml", 3, {"most of them in bad.jsonl"}},
    {"no_tolerance", "one_bad.jsonl -c strict.yaml", 3, {"limits.invalid_share (0 %)", "one_bad.jsonl (1 of 1201)"}},
    {"seconds_for_milliseconds",
     "seconds.jsonl",
     3,
     {"time_out_of_range: set inputs.unit to that of the log's times, which recmeter doctor names"}},
    {"late_events",
     "backwards.jsonl --sort never",
     3,
     {"late or in the future", "limits.lost_share (1 %)", "most of them in backwards.jsonl", "it goes back up to 9h",
      "--sort auto sorts files", "set its allowed_lateness to 9h", "separate files", "limits.lost_share"}},
    {"types_that_nobody_knows", "others.jsonl", 3, {"map them under inputs.types"}},
    {"feedback_without_lists", "clicks.jsonl", 3, {"no list was shown", "name the logs of impressions too"}},
    {"future_events", "ahead.jsonl", 3, {"most of them in ahead.jsonl: 89 events lie further ahead", "raise time.max_step"}},
};
INSTANTIATE_TEST_SUITE_P(Input, Distrusted, testing::ValuesIn(distrusted), name_of);

class Doubted : public Workplace, public testing::WithParamInterface<Case> {
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("lists.jsonl", impression(1, 0) + impression(2, 1000));
    std::string strange;
    for (int i = 0; i < 100; ++i) strange += impression(i, 1000 * i) + click(1000 + i, 1000 * i);
    scratch().put("strange.jsonl", strange);
  }
};

TEST_P(Doubted, ends_well_with_a_warning) {
  const Ended ended = run(std::string("replay ") + GetParam().arguments);
  EXPECT_EQ(ended.code, GetParam().code) << ended.err;
  EXPECT_EQ(ended.out, "");
  expect_says(ended, {"recmeter: warning: "});
  expect_says(ended, GetParam().says);
  expect_clean_messages(ended.err);
}

const Case doubted[] = {
    {"an_empty_file", "empty.jsonl", 0, {"no event was read: the inputs are empty"}},
    {"an_empty_gzip", "empty.gz", 0, {"no event was read"}},
    {"empty_standard_input", "-", 0, {"no event was read"}},
    {"lists_without_feedback", "-o rows lists.jsonl", 0, {"no feedback was read", "name the logs of feedback too"}},
    {"feedback_of_other_users",
     "-o rows strange.jsonl",
     0,
     {"feedback events is credited to a list", "have one form in both"}},
    {"times_beside_the_log", "good.jsonl --from -3d", 0, {"no window with a list lies between --from and --to"}},
};
INSTANTIATE_TEST_SUITE_P(Input, Doubted, testing::ValuesIn(doubted), name_of);

// A quiet time of three hours and a few records after it.
std::string log_with_a_gap(std::int64_t gap_ms, bool ends_ignored) {
  std::string log;
  for (int list = 0; list < 50; ++list) log += impression(list, list * 1000) + click(list, list * 1000 + 500);
  for (int list = 100; list < 110; ++list) log += impression(list, gap_ms + list * 1000);
  if (ends_ignored)
    log = log.substr(0, log.find(impression(100, gap_ms + 100'000))) + R"({"type":"tick","ts":)" +
          std::to_string(start_ms + gap_ms) + "}\n";
  return log;
}

class ShortLog : public Workplace, public testing::WithParamInterface<bool> {
 protected:
  std::vector<std::string> stages() const {
    std::vector<std::string> out;
    for (const std::string& line : lines_of(scratch().get("rows"))) out.push_back(support::parsed_json(line)["stage"]);
    return out;
  }
};

TEST_P(ShortLog, that_ends_behind_a_gap_is_told_the_max_step_that_makes_its_rows_final) {
  const auto configure = [&](const std::string& max_step) {
    scratch().put("short.yaml", "inputs: [{file: gap.jsonl}]\ntime: {max_step: " + max_step +
                                    "}\njoin: {horizons: [1m]}\nwindows: [{name: minute, size: 1m}]\n");
  };
  scratch().put("gap.jsonl", log_with_a_gap(10'800'000, GetParam()));
  configure("1h");
  const Ended ended = run("replay -c short.yaml -o rows --report report");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(stages().front(), "truncated");
  expect_says(ended, {"recmeter: warning: 1 of the ", "hold all that was read", "records of gap.jsonl come up to ",
                      "wrong clock", "Write time.max_step: "});
  expect_clean_messages(ended.err);
  const nlohmann::json warnings = json_in("report")["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  const auto sentence = warnings[0].get<std::string>();
  EXPECT_NE(ended.err.find(sentence), std::string::npos) << sentence;

  std::smatch remedy;
  ASSERT_TRUE(std::regex_search(sentence, remedy, std::regex("time.max_step: ([0-9]+[a-z]+) \\(or 0s")));
  configure(remedy[1]);
  const Ended mended = run("replay -c short.yaml -o rows --report report");
  EXPECT_EQ(mended.code, 0) << mended.err;
  EXPECT_EQ(stages().front(), "final");
  EXPECT_EQ(mended.err.find("warning"), std::string::npos) << mended.err;
  EXPECT_FALSE(json_in("report").contains("warnings"));
}
INSTANTIATE_TEST_SUITE_P(Gap, ShortLog, testing::Bool(),
                         [](const auto& ends) { return ends.param ? "before_ignored_records" : "before_lists"; });

using Failures = Workplace;

TEST_F(Failures, without_a_command_the_help_goes_to_standard_error) {
  const Ended ended = run("");
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  expect_says(ended, {"Usage: recmeter", "replay", "validate"});
}

// Each option that takes a value.
TEST_F(Failures, an_empty_value_is_wrong_usage) {
  const std::vector<std::pair<const char*, std::vector<const char*>>> options = {
      {"replay",
       {"--config", "--output", "--report", "--lists", "--curves", "--experiments", "--format", "--threads", "--from", "--to",
        "--listen", "--speed", "--progress"}},
      {"attach", {"--config", "--threads", "--report"}},
      {"demo", {"--seconds", "--rate", "--listen"}},
      {"explain", {"--config", "--list", "--user", "--format"}},
      {"metrics", {"--format"}},
      {"report", {"--output", "--report"}},
      {"top", {"--token-file", "--ca-file", "--window", "--horizon", "--metric", "--every"}},
      {"generate", {"--output", "--truth", "--lists", "--start", "--list-length", "--brokers", "--topic"}},
      {"validate", {"--rate", "--sample"}}};
  const auto before = everything();
  for (const auto& [command, names] : options) {
    if (!is_there(command)) continue;
    for (const char* name : names) {
      Call made = call("");
      made.arguments = {command, name, ""};
      const Ended ended = test::run(made);
      EXPECT_EQ(ended.code, 2) << command << " " << name << ended.err;
      expect_says(ended, {std::string(name) + ": ", "see recmeter " + std::string(command) + " --help"});
      expect_clean_messages(ended.err);
    }
  }
  for (const char* command : {"replay", "validate", "metrics", "report", "top", "explain"}) {
    if (!is_there(command)) continue;
    Call made = call("");
    made.arguments = {command, ""};
    EXPECT_EQ(test::run(made).code, 2) << command;
  }
  EXPECT_EQ(everything(), before);
}

TEST_F(Failures, a_later_option_overrides_an_earlier_one) {
  const Ended once = run("replay good.jsonl --format csv");
  EXPECT_EQ(once.code, 0);
  EXPECT_EQ(run("replay good.jsonl --format jsonl --threads 1 -f table --format csv --threads 2").out, once.out);
  EXPECT_EQ(run("replay good.jsonl --from 2199-01-01T00:00:00Z --format csv --from 1980-01-02T00:00:00Z").out, once.out);
  EXPECT_EQ(run("generate --quiet --lists 100 --seed 1 --lists 5 --horizon 1m --horizon 1h").out,
            run("generate --quiet --lists 5 --seed 1 --horizon 1h").out);
  EXPECT_EQ(run("metrics mrr --format json --format text").out, run("metrics mrr --format text").out);
  EXPECT_EQ(run("validate folder --rate 5 --rate 6").code, 2) << "arguments without a name are not options";
  const Ended two = run("replay good.jsonl -o first.jsonl -o second.jsonl");
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_FALSE(std::filesystem::exists(scratch().path("first.jsonl")));
  EXPECT_TRUE(std::filesystem::exists(scratch().path("second.jsonl")));
}

TEST_F(Failures, a_full_standard_output_is_told) {
  for (const char* arguments :
       {"replay good.jsonl", "init", "version", "validate old.yaml", "generate --quiet --lists 100"}) {
    scratch().put("old.yaml", "threads: 1\n");
    Call made = call(arguments);
    made.output = "/dev/full";
    const Ended ended = test::run(made);
    EXPECT_EQ(ended.code, 1) << arguments;
    EXPECT_FALSE(ended.err.empty()) << arguments;
    expect_clean_messages(ended.err);
  }
}

// As `recmeter ... | head` once head has what it wanted.
TEST_F(Failures, a_reader_that_has_gone_is_a_quiet_end) {
  scratch().put("plain.yaml", "threads: 1\n");
  for (const char* arguments :
       {"replay good.jsonl --format jsonl", "replay good.jsonl --format csv", "replay good.jsonl --format table", "init",
        "version", "--help", "replay --help", "--version", "metrics", "metrics mrr", "metrics --format markdown",
        "validate plain.yaml", "validate --json plain.yaml --rate 5", "explain --list l1 good.jsonl",
        "generate --quiet --lists 1000", "generate --lists 20000", "report rows.jsonl"}) {
    if (!is_there(std::string_view(arguments).substr(0, std::string_view(arguments).find(' ')))) continue;
    ASSERT_EQ(run("replay good.jsonl -o rows.jsonl").code, 0);
    Call made = call(arguments);
    made.deaf_output = true;
    const Ended ended = test::run(made);
    EXPECT_EQ(ended.code, 0) << arguments;
    EXPECT_EQ(ended.err, "") << arguments;
  }
}

// Rows end early, and nothing else that was asked for does.
TEST_F(Failures, a_reader_that_has_gone_takes_no_other_output_with_it) {
  ASSERT_EQ(run("replay good.jsonl -o rows.jsonl --lists lists.jsonl --report report.json").code, 0);
  Call made = call("replay good.jsonl --lists lists2.jsonl --report report2.json");
  made.deaf_output = true;
  const Ended ended = test::run(made);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(scratch().get("lists2.jsonl"), scratch().get("lists.jsonl"));
  EXPECT_EQ(json_in("report2.json")["complete"], true);
  EXPECT_EQ(json_in("report2.json")["events"], json_in("report.json")["events"]);
  made = call("replay good.jsonl -o rows2.jsonl --report -");
  made.deaf_output = true;
  EXPECT_EQ(test::run(made).code, 0);
  EXPECT_EQ(scratch().get("rows2.jsonl"), scratch().get("rows.jsonl"));
}

TEST_F(Failures, a_pipe_into_head_ends_both_quietly) {
  const std::string program = RECMETER_PROGRAM;
  for (const char* arguments : {"replay many.jsonl --format jsonl", "generate --lists 100000", "metrics --format markdown"}) {
    generate("--lists 20000 -o many.jsonl");
    const std::string command = "cd " + scratch().path("") + " && bash -o pipefail -c \"" + program + " " + arguments +
                                " 2>err.txt | head -n 1 >first.txt\"";
    EXPECT_EQ(std::system(command.c_str()), 0) << arguments << scratch().get("err.txt");
    EXPECT_EQ(scratch().get("err.txt"), "") << arguments;
    EXPECT_EQ(lines_of(scratch().get("first.txt")).size(), 1U) << arguments;
  }
}

TEST_F(Failures, what_is_in_a_path_reaches_no_terminal) {
  const std::string evil =
      "a\nb\x1b[31m\x7f\xc2\x9b"
      "2J\x9b\xe2\x80\xae"
      "c";
  const std::string shown = "a\\x0ab\\x1b[31m\\x7f\\xc2\\x9b2J\\x9b\\xe2\\x80\\xaec";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"replay", evil},
                                             {"replay", "good.jsonl", "-o", "none/" + evil},
                                             {"validate", evil},
                                             {"replay", "-c", evil},
                                             {"replay", "--from", evil, "good.jsonl"},
                                             {"replay", "--format", evil},
                                             {evil},
                                             {"generate", "-o", "good.jsonl/" + evil},
                                             {"replay", "-" + evil}}) {
    Call made = call("");
    made.arguments = arguments;
    const Ended ended = test::run(made);
    EXPECT_TRUE(ended.code == 1 || ended.code == 2) << ended.code;
    EXPECT_EQ(lines_of(ended.err).size(), 1U) << ended.err;
    expect_clean_messages(ended.err);
    expect_says(ended, {shown});
    made.arguments.insert(made.arguments.begin(), "--json");
    const Ended as_json = test::run(made);
    ASSERT_EQ(lines_of(as_json.err).size(), 1U) << as_json.err;
    EXPECT_TRUE(nlohmann::json::accept(as_json.err)) << as_json.err;
  }
}

bool is_code(const std::string& text) {
  for (int code = 0; code <= static_cast<int>(Errc::interrupted); ++code) {
    if (text == to_string(static_cast<Errc>(code))) return true;
  }
  return std::find(notice_names.begin(), notice_names.end(), text) != notice_names.end();
}

TEST_F(Failures, messages_have_the_code_of_their_kind) {
  for (const auto& [arguments, code] :
       std::vector<std::pair<std::string, std::string>>{{"frobnicate", "config_invalid"},
                                                        {"replay none.jsonl", "input_missing"},
                                                        {"replay good.jsonl -o new", "run_ended"},
                                                        {"replay bad.jsonl -o new", "beyond_limits"},
                                                        {"explain --list none good.jsonl", "list_missing"},
                                                        {"generate --lists 10 -o new.jsonl", "truth"},
                                                        {"validate none", "config_invalid"}}) {
    const Ended ended = run(arguments + " --json");
    const auto lines = lines_of(ended.err);
    ASSERT_FALSE(lines.empty()) << arguments;
    EXPECT_EQ(support::parsed_json(lines.back()).value("code", ""), code) << ended.err;
  }
}

TEST_F(Failures, messages_are_json_wherever_the_flag_stands) {
  for (const char* arguments :
       {"--json frobnicate", "replay --json none.jsonl", "replay --format xml --json", "frob --json",
        "generate --lists abc --json", "generate --lists 0 --json", "replay bad.jsonl --json -o new",
        "replay empty.jsonl --json", "generate --lists 10 -o new.jsonl --json", "validate none --json"}) {
    const Ended ended = run(arguments);
    EXPECT_FALSE(ended.err.empty()) << arguments;
    for (const std::string& line : lines_of(ended.err)) {
      const auto message = support::parsed_json(line);
      ASSERT_TRUE(message.is_object()) << line;
      EXPECT_TRUE(std::regex_match(message.value("ts", ""), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"))) << line;
      EXPECT_TRUE(message.value("level", "") == "error" || message.value("level", "") == "info" ||
                  message.value("level", "") == "warning")
          << line;
      EXPECT_TRUE(is_code(message.value("code", ""))) << line;
      EXPECT_TRUE(message.contains("message") || message.contains("faults") || message.contains("truth")) << line;
    }
  }
}

}  // namespace
}  // namespace recmeter::test
