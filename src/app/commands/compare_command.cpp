// The command `recmeter compare`: an experiment's rows as sentences and a verdict, or the lists of variants at one look.
// [I2].
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/answers/compared_lists.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/compare_by.h"
#include "app/commands/edges.h"
#include "app/commands/option_values.h"
#include "app/commands/quiet_replay.h"
#include "app/compare/experiment_text.h"
#include "app/console/exit_code.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/text_layout.h"
#include "app/console/wall_clock.h"
#include "app/run/for_each_record.h"
#include "app/run/time_or_ago.h"
#include "recmeter/file/open_file.h"

namespace recmeter {

namespace {

struct CompareCommand {
  std::vector<std::string> inputs;
  std::string config;      // "": the inputs are rows or lists, else events
  std::string experiment;  // "": the only one
  std::string at;          // "": the newest look
  std::string by;          // "": rows of experiments
  std::string control;
  std::string token_file;  // of an evaluator; "": no token
  std::string ca_file;
  std::string format = "table";
  bool is_plan = false;
  std::string mde = "5%";  // of a plan
};

// The newest look of each experiment that is not after `at`.
using Looks = std::map<std::string, ExperimentRow>;

void keep_newest(Looks& looks, ExperimentRow row, EventTime at) {
  if (row.end > at) return;
  ExperimentRow& newest = looks[row.experiment];
  if (newest.look <= row.look) newest = std::move(row);
}

Result<EventTime> time_of(const CompareCommand& command) {
  if (command.at.empty()) return plus_infinity;
  auto time = parse_time_or_ago(command.at, wall_clock());
  if (!time) return failure(Errc::config_invalid, "--at: " + time.error().context);
  return *time;
}

// Of all files, line by line: take(path, line).
template <class Take>
Result<void> read_lines(const CompareCommand& command, std::string_view noun, const std::atomic<bool>& stop,
                        const Take& take) {
  for (const std::string& path : command.inputs) {
    if (is_url(path)) continue;
    auto source = file::open_file(path, {.message_bytes_max = compared_line_bytes_max, .stop = &stop});
    if (!source) return tl::unexpected(std::move(source).error());
    const auto read = for_each_record(**source, noun, stop, [&](std::string_view line) { return take(path, line); });
    if (!read) return tl::unexpected(read.error());
  }
  return {};
}

// Of the evaluators that run: the newest row of each experiment.
Result<void> ask_evaluators(const CompareCommand& command, const std::atomic<bool>& stop,
                            const std::function<Result<void>(std::string_view row)>& take) {
  for (const std::string& url : command.inputs) {
    if (!is_url(url)) continue;
    if (edges().experiments_of == nullptr) return failure(Errc::config_invalid, url + ": this build has no HTTP");
    const auto rows =
        edges().experiments_of({.url = url, .token_file = command.token_file, .ca_file = command.ca_file}, stop);
    if (!rows) return tl::unexpected(rows.error());
    for (const std::string& row : *rows) {
      if (auto taken = take(row); !taken) return failure(taken.error().code, url + ": " + taken.error().context);
    }
  }
  return {};
}

Result<Looks> read_looks(const CompareCommand& command, EventTime at, const std::atomic<bool>& stop) {
  Looks looks;
  const auto take = [&](std::string_view line) -> Result<void> {
    auto row = read_experiment_row(line);
    if (!row) return tl::unexpected(row.error());
    keep_newest(looks, std::move(*row), at);
    return {};
  };
  const auto read =
      read_lines(command, "row", stop, [&](const std::string& /*path*/, std::string_view line) { return take(line); });
  if (!read) return tl::unexpected(read.error());
  if (auto asked = ask_evaluators(command, stop, take); !asked) return tl::unexpected(std::move(asked).error());
  return looks;
}

Result<ExperimentRow> chosen(const CompareCommand& command, Looks looks) {
  std::vector<std::string> names;
  for (const auto& [name, row] : looks) names.push_back(name);
  if (looks.empty()) {
    const std::string when = command.at.empty() ? " yet" : " before --at";
    return failure(Errc::config_invalid, joined(", ", command.inputs) + ": there is no look at an experiment" + when +
                                             "; give rows as recmeter replay --experiments writes them, or lists with --by");
  }
  if (command.experiment.empty() && looks.size() == 1) return std::move(looks.begin()->second);
  const auto found = looks.find(command.experiment);
  if (found != looks.end()) return std::move(found->second);
  return failure(Errc::config_invalid, (command.experiment.empty() ? "there are several experiments"
                                                                   : "there is no experiment " + command.experiment) +
                                           "; choose one with --experiment: " + joined(", ", names));
}

ExitCode exit_code_of(Decision decision) {
  if (decision == Decision::ship) return ExitCode::ok;
  return decision == Decision::hold ? ExitCode::hold : ExitCode::stop;
}

// Of experiments that are there, but have no look: not the end of it. [S10.30].
ExitCode wait_for_looks(const CompareCommand& command) {
  constexpr std::string_view why = "no experiment has a look yet; a look needs events a horizon beyond its end";
  constexpr std::string_view row =
      R"({"verdict":{"verdict":"hold","reason":"no_data"},"counts":{"verdict":"hold","reason":"no_data","at":null}})";
  const std::string text = command.format == "json" ? std::string(row) + "\n" : "Hold: " + std::string(why) + ".\n";
  if (const auto written = write_out(text); !written) return report_error(written.error());
  return ExitCode::hold;
}

// Says what the look means; the exit code is what counts.
ExitCode judge(const CompareCommand& command, Looks looks) {
  const bool may_come = !command.config.empty() || std::ranges::any_of(command.inputs, is_url);
  if (looks.empty() && may_come && command.experiment.empty()) return wait_for_looks(command);
  const auto row = chosen(command, std::move(looks));
  if (!row) return report_error(row.error());
  const std::string text = command.format == "json"       ? render_json(*row) + "\n"
                           : command.format == "markdown" ? experiment_markdown(*row)
                                                          : experiment_text(*row);
  if (const auto written = write_out(text); !written) return report_error(written.error());
  return exit_code_of(row->counts.verdict.decision);
}

ExitCode compare_experiment(const CompareCommand& command, const std::atomic<bool>& stop) {
  const auto at = time_of(command);
  if (!at) return report_error(at.error());
  if (command.config.empty()) {
    auto looks = read_looks(command, *at, stop);
    return looks ? judge(command, std::move(*looks)) : report_error(looks.error());
  }
  Looks looks;
  ReplayCommand replay;
  replay.config = command.config;
  replay.inputs = command.inputs;
  const ExitCode ended = replay_looks(replay, stop, [&](ExperimentRow row) { keep_newest(looks, std::move(row), *at); });
  if (ended != ExitCode::ok && ended != ExitCode::beyond_limits) return ended;
  const ExitCode verdict = judge(command, std::move(looks));
  const bool is_verdict = verdict == ExitCode::ok || verdict == ExitCode::hold || verdict == ExitCode::stop;
  return is_verdict && ended == ExitCode::beyond_limits ? ended : verdict;
}

// A share such as 0.05 or 5%.
Result<double> share_of(const std::string& text) {
  const bool is_percent = text.ends_with('%');
  double number = 0;
  const char* end = text.data() + text.size() - (is_percent ? 1 : 0);
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && read == end && number > 0 && std::isfinite(number)) return is_percent ? number / 100 : number;
  return failure(Errc::config_invalid, "--mde: " + text + " is no change to find; write a share of the control, such as 5%");
}

ExitCode run_plan(const CompareCommand& command, const std::atomic<bool>& stop) {
  const auto mde = share_of(command.mde);
  if (!mde) return report_error(mde.error());
  if (!command.experiment.empty() || !command.at.empty() || !command.control.empty() || command.by == "file" ||
      std::ranges::any_of(command.inputs, is_url)) {
    return report_error(
        {Errc::config_invalid,
         "--plan reads events of the time before an experiment, with --by KEY, --mde and --config alone; drop "
         "the rest"});
  }
  if (command.inputs.empty() && command.config.empty()) {
    return report_error({Errc::config_invalid, "nothing to plan by; give the log of a day or a week"});
  }
  return plan_experiment(
      {.inputs = command.inputs, .config = command.config, .by = command.by, .control = "", .format = command.format}, *mde,
      stop);
}

ExitCode run_compare(const CompareCommand& command, const std::atomic<bool>& stop) {
  if (command.is_plan) return run_plan(command, stop);
  if (command.by.empty() && !command.control.empty()) {
    return report_error({Errc::config_invalid, "--control says what --by compares with: --by variant --control A"});
  }
  if (!command.by.empty() && (!command.experiment.empty() || !command.at.empty())) {
    return report_error(
        {Errc::config_invalid, "--experiment and --at are for experiments, --by compares lists at one look; drop one"});
  }
  if (command.by == "file" && !command.config.empty()) {
    return report_error({Errc::config_invalid, "--by file compares files of lists, and --config reads events; drop one"});
  }
  if (command.inputs.empty() && command.config.empty()) {
    return report_error({Errc::config_invalid,
                         "nothing to compare; give rows of experiments, the address of an evaluator, or "
                         "events with --config"});
  }
  const auto url = std::ranges::find_if(command.inputs, is_url);
  if (url != command.inputs.end() && !command.by.empty()) {
    return report_error(
        {Errc::config_invalid, *url + ": an evaluator has no lists; --by takes events, or files of replay --lists"});
  }
  if (url != command.inputs.end() && !command.at.empty()) {
    return report_error({Errc::config_invalid, *url + ": an evaluator has only the newest look; --at needs files of rows"});
  }
  if (command.by.empty()) return compare_experiment(command, stop);
  return compare_lists({.inputs = command.inputs,
                        .config = command.config,
                        .by = command.by,
                        .control = command.control,
                        .format = command.format},
                       stop);
}

Command define_compare(CLI::App& parser) {
  const auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = parser.add_subcommand("compare", "Say whether a variant is better, and whether to ship it");
  const AddOption add{sub};
  add("INPUT", command->inputs, "",
      "Rows of experiments (JSONL), or the address of an evaluator (http://127.0.0.1:8080); with --config events; with --by "
      "events, or lists as replay --lists writes them");
  add("-c,--config", command->config, "FILE",
      "Replay INPUT, or the inputs configured, and say what their experiments say, or with --by what their lists say");
  add("-e,--experiment", command->experiment, "NAME", "One of several experiments");
  add("--at", command->at, "TIME", "The look at that time or before; the newest by default");
  add("--by", command->by, "KEY", "Compare lists by this segment key at one look, or by their file: --by file");
  add("--control", command->control, "VALUE",
      "With --by: what the others are compared with; else the value control, old, base, baseline, default or A");
  sub->add_flag("--plan", command->is_plan,
                "Say from the log of a day or a week how many days and users an experiment needs, for each metric");
  add("--mde", command->mde, "SHARE", "With --plan: the change to find, a share of the control; 5% by default");
  add("--token-file", command->token_file, "FILE", "The file with the evaluator's token, if it needs one");
  add("--ca-file", command->ca_file, "FILE", "Certificates (PEM) to trust besides the system's");
  add("-f,--format", command->format, "FORMAT", "table, json or markdown; table by default")
      ->check(one_of_words({"table", "json", "markdown"}));
  sub->footer(
      "Of an experiment the exit code is its verdict: 0 ship, 10 hold, 11 stop. Comparing lists gives no verdict and exits "
      "with 0. Else 1 failed; 2 usage; 3 events beyond limits, whatever the verdict; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_compare(*command, stop); }};
}

const CommandRegistration compare_registration(CommandPlace::compare, define_compare);

}  // namespace

}  // namespace recmeter
