#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config/nearest.h"
#include "app/messages.h"
#include "app/option_values.h"
#include "app/version.h"

namespace recmeter {

namespace {

constexpr unsigned threads_max = 1024;  // as in the configuration

// Adds options with the word that stands for their value in the help.
struct Adding {
  CLI::App* command;
  CLI::Option* operator()(const char* names, auto& target, const char* type, const char* help) const {
    return command->add_option(names, target, help)->type_name(type);
  }
};

CLI::App* define_attach(CLI::App& app, AttachCommand& command) {
  CLI::App* sub = app.add_subcommand("attach", "Evaluate live topics and publish each window when it is final");
  sub->add_option("-c,--config", command.config, "Configuration (YAML), see recmeter init")->type_name("FILE")->required();
  sub->add_option("-j,--threads", command.threads, "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->type_name("N")
      ->check(whole_number_up_to(threads_max));
  sub->add_flag("--rebuild", command.rebuild,
                "If the configuration gives events another meaning than the one that made the state, read them again");
  sub->add_flag("--overwrite", command.overwrite,
                "With a new state, publish to a topic that already holds final rows of this evaluator");
  sub->add_option("-r,--report", command.report, "Where the run report goes (JSON) once the run was asked to end")
      ->type_name("FILE");
  sub->footer(
      "Goes on where the state (state.dir) is. SIGTERM or Ctrl-C: finishes, keeps its state and ends; again: ends at once.\n"
      "More windows, segments, metrics or shorter horizons hold for windows that start from then on. Another meaning of\n"
      "events (inputs, credit, gains, the longest horizon, lateness) is refused without --rebuild; with it, rows that are\n"
      "published stay, and those after them are made by the new configuration (docs/configuration.md).\n"
      "A new state does not publish to a topic that holds final rows of this evaluator without --overwrite\n"
      "(docs/outputs.md).\n"
      "Exit codes: 0 ended when asked to; 1 failed; 2 usage or configuration; 4 the state cannot be gone on from.");
  return sub;
}

CLI::App* define_demo(CLI::App& app, DemoCommand& command) {
  CLI::App* sub = app.add_subcommand("demo", "See it work: generated traffic, a broker and attach in one process");
  sub->add_option("--seconds", command.seconds, "How long; 0: until Ctrl-C")
      ->type_name("N")
      ->check(CLI::Range(0, 86'400))
      ->capture_default_str();
  sub->add_option("--rate", command.lists_per_second, "Lists a second")
      ->type_name("N")
      ->check(CLI::Range(1, 20'000))
      ->capture_default_str();
  sub->add_option("--listen", command.listen, "Where it can be watched; 127.0.0.1:8080 by default")->type_name("HOST:PORT");
  return sub;
}

CLI::App* define_replay(CLI::App& app, ReplayCommand& command) {
  CLI::App* sub = app.add_subcommand("replay", "Evaluate event logs and write one row per window, horizon and segment");
  const Adding add{sub};
  add("INPUT", command.inputs, "", "Logs of JSON lines, plain, gzip or zstd; - is standard input; none: those configured");
  add("-c,--config", command.config, "FILE", "Configuration (YAML), see recmeter init; without it the defaults");
  add("-o,--output", command.output, "FILE", "Where rows go; standard output by default");
  add("-r,--report", command.report, "FILE",
      "Where the run report goes (JSON); - is standard output, with --output to a file");
  add("-l,--lists", command.lists, "FILE", "Where every scored list goes with its values (JSONL), for tests of significance");
  add("--curves", command.curves, "FILE",
      "Where ROC and precision-recall curves go (JSONL): a point per row and k, 0 to the largest");
  add("-f,--format", command.format, "FORMAT", "jsonl, csv or table; by default a table on a terminal, else jsonl")
      ->check(one_of_words({"jsonl", "csv", "table"}));
  add("-j,--threads", command.threads, "N", "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->check(whole_number_up_to(threads_max));
  add("--from", command.from, "TIME", "Only windows that start at or after: 2026-11-20T00:00:00Z, or -3d for three days ago");
  add("--to", command.to, "TIME", "Only windows that end at or before: 2026-11-21T00:00:00Z, or now");
  add("--listen", command.listen, "ADDRESS",
      "Show rows over HTTP as attach does, on host:port, while they are made and until Ctrl-C");
  add("--speed", command.speed, "SPEED", "How fast event time goes: max, or 1x (as it happened), 60x, 0.5x");
  add("--progress", command.progress, "FORM", "plain, json or none: how far it is, on standard error after 2 s")
      ->check(one_of_words({"plain", "json", "none"}));
  sub->footer(
      "Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 done, but beyond limits.invalid_share or\n"
      "limits.lost_share; 130 interrupted, with what was final written.");
  return sub;
}

CLI::App* define_explain(CLI::App& app, ExplainCommand& command) {
  CLI::App* sub =
      app.add_subcommand("explain", "Show one list, what became of its feedback and why, and every metric's arithmetic");
  const Adding add{sub};
  add("INPUT", command.inputs, "", "Logs as for replay, but no standard input: they are read twice; none: those configured");
  add("-c,--config", command.config, "FILE", "Configuration (YAML); without it the defaults");
  add("-l,--list", command.list_id, "ID", "The list's id; every list of that id is shown")->required();
  add("-u,--user", command.user_id, "ID", "Only lists of this user");
  add("-f,--format", command.format, "FORMAT", "text, or json: an object a line; by default text, json with --json")
      ->check(one_of_words({"text", "json"}));
  sub->footer("Exit codes: 0 done; 1 no such list, or failed; 2 usage or configuration; 130 interrupted.");
  return sub;
}

CLI::App* define_metrics(CLI::App& app, MetricsCommand& command) {
  CLI::App* sub =
      app.add_subcommand("metrics", "Tell what each metric is: formula, range, evidence, options, source, examples");
  sub->add_option("NAME", command.name, "One metric in full; without it a line for each")->type_name("");
  sub->add_option("-f,--format", command.format,
                  "text, json (as --json does) or markdown: the generated part of docs/metrics.md")
      ->type_name("FORMAT")
      ->check(one_of_words({"text", "json", "markdown"}));
  return sub;
}

CLI::App* define_report(CLI::App& app, ReportCommand& command) {
  CLI::App* sub = app.add_subcommand("report", "Make one HTML page of the rows of a replay, to be looked at and passed on");
  const Adding add{sub};
  add("ROWS", command.rows, "", "Rows as replay writes them (JSONL), plain, gzip or zstd; - is standard input")->required();
  add("-o,--output", command.output, "FILE", "Where the page goes; standard output by default, if that is no terminal");
  add("-r,--report", command.report, "FILE", "The report of the same run (replay --report), to be shown too");
  sub->footer("The page needs no network. Exit codes: 0 done; 1 failed; 2 usage; 130 interrupted.");
  return sub;
}

CLI::App* define_state(CLI::App& app, StateCommand& command) {
  CLI::App* sub = app.add_subcommand("state", "Look at a state directory: what it holds (info), whether it is sound (check)");
  sub->require_subcommand(1);
  CLI::App* info = sub->add_subcommand("info", "Tell what a state holds: positions, watermark, journal, rows not published");
  CLI::App* check = sub->add_subcommand("check", "Tell whether a state is sound: every file, event and row is read");
  for (CLI::App* each : {info, check}) {
    each->add_option("DIR", command.directory, "The state.dir of an attach that is not running")->type_name("")->required();
    each->footer("Nothing is changed. Exit codes: 0 sound; 2 usage; 4 in use, damaged, or no state of this recmeter.");
  }
  info->add_option("-f,--format", command.format, "text, or json (as --json does)")
      ->type_name("FORMAT")
      ->check(one_of_words({"text", "json"}));
  check->callback([&command] { command.check = true; });
  return sub;
}

CLI::App* define_top(CLI::App& app, TopCommand& command) {
  CLI::App* sub =
      app.add_subcommand("top", "Watch a running evaluator in the terminal: newest windows, lag, fates of events");
  const Adding add{sub};
  add("URL", command.url, "", "Where it listens (publish.http.listen): http://127.0.0.1:8080")->required();
  add("--token-file", command.token_file, "FILE", "The token it asks for, if it does");
  add("--ca-file", command.ca_file, "FILE", "Certificates (PEM) to trust besides the system's");
  add("-w,--window", command.window, "NAME", "Which windows; the first configured by default");
  add("--horizon", command.horizon, "TIME", "Which horizon; the first configured by default");
  add("-m,--metric", command.metrics, "KEY", "Which metric, as precision@10; may be repeated; the first three by default")
      ->allow_extra_args(false);
  add("--every", command.every, "TIME", "How often it is asked")->capture_default_str();
  sub->add_flag("--once", command.once, "One frame as plain text, as without a terminal");
  sub->footer("q quits. Exit codes: 0 done; 1 no answer; 2 usage, or it wants a token; 130 interrupted.");
  return sub;
}

CLI::App* define_validate(CLI::App& app, ValidateCommand& command) {
  CLI::App* sub = app.add_subcommand("validate", "Check a configuration, all faults at once, and say how it is understood");
  sub->add_option("CONFIG", command.config, "Configuration (YAML)")->type_name("")->required();
  sub->add_flag("--connect", command.connects, "Also ask brokers for the topics, and look at files, state and address");
  sub->add_option("--rate", command.rate, "Also say what an attach needs at so many lists a second: rows, disk, memory")
      ->type_name("N");
  return sub;
}

CLI::App* define_init(CLI::App& app, InitCommand& command) {
  CLI::App* sub = app.add_subcommand("init", "Write a commented starter configuration to standard output");
  sub->add_flag("--live", command.live, "One for recmeter attach, with topics, state, publishing and their defaults");
  return sub;
}

// Where the options of each command go, and which command it is.
struct Line {
  CLI::App app{
      "recmeter measures recommenders on their event logs: it joins what was shown with what was then done, and writes\n"
      "ranking metrics per window, with confidence intervals.",
      "recmeter"};
  bool json = false;  // seen before the parser began
  ReplayCommand replay;
  AttachCommand attach;
  DemoCommand demo;
  ExplainCommand explain;
  MetricsCommand metrics;
  ReportCommand report;
  StateCommand state;
  TopCommand top;
  generate::GenerateOptions generate;
  ValidateCommand validate;
  InitCommand init;
  std::vector<std::pair<CLI::App*, std::function<Command()>>> commands;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Rules of every option: a later one overrides an earlier one, as scripts expect that add to a command; nothing is no value;
// and only names of files and ids may begin or end with a blank.
void settle_options(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const int values_max = option->get_items_expected_max();
    if (values_max == 0) continue;  // a flag
    if (values_max == 1 && option->nonpositional()) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    const std::string type = option->get_type_name();
    const bool may_have_blanks = type.empty() || type == "FILE" || type == "ID" || type == "TEXT";
    const auto check = [may_have_blanks](const std::string& text) -> std::string {
      if (text.empty()) return "the value is empty: write one, or leave the option out";
      if (!may_have_blanks && (is_blank(text.front()) || is_blank(text.back()))) return "there is a blank around " + text;
      return {};
    };
    option->check(CLI::Validator(check, ""));
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) settle_options(*command);
}

void define(Line& line) {
  CLI::App& app = line.app;
  app.require_subcommand(0, 1);
  app.add_flag("--json", line.json, "Messages on standard error as JSON lines");
  app.set_version_flag("-V,--version", [] { return std::string("recmeter " RECMETER_VERSION); }, "Version only");
  app.footer("recmeter COMMAND --help tells the options of a command.");
  app.fallthrough();
  const auto add = [&line](CLI::App* command, auto& options) {
    line.commands.emplace_back(command, [&options]() -> Command { return options; });
  };
  add(define_replay(app, line.replay), line.replay);
  add(define_attach(app, line.attach), line.attach);
  add(define_demo(app, line.demo), line.demo);
  add(define_explain(app, line.explain), line.explain);
  add(define_metrics(app, line.metrics), line.metrics);
  add(define_report(app, line.report), line.report);
  add(define_state(app, line.state), line.state);
  add(define_top(app, line.top), line.top);
  add(generate::add_generate_command(app, line.generate), line.generate);
  add(define_validate(app, line.validate), line.validate);
  add(define_init(app, line.init), line.init);
  line.commands.emplace_back(app.add_subcommand("version", "Tell version, build and libraries"),
                             [] { return VersionCommand(); });
  settle_options(app);
}

// What an unexpected word was probably meant to be.
std::string suggestion(const Line& line, const std::string& word) {
  std::vector<std::string> names;
  if (word.starts_with('-')) {
    const auto chosen = line.app.get_subcommands();
    for (const CLI::Option* option : (chosen.empty() ? &line.app : chosen.front())->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    names.emplace_back("--json");
  } else {
    for (const CLI::App* command : line.app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = config::nearest(word.substr(0, word.find('=')), views);
  return near ? "; did you mean " + std::string(*near) + "?" : "";
}

// The parser's sentence in the words of this program, without a full stop or a remedy.
std::string fault(const Line& line, const CLI::ParseError& error) {
  std::string text = error.what();
  const std::vector<std::string> rest = line.app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    const std::string& word = rest.front();
    if (word.starts_with('-')) return word + " is no option here" + suggestion(line, word);
    if (line.app.get_subcommands().empty()) return word + " is no command here" + suggestion(line, word);
    return word + " is one word too many here";
  }
  const std::string option = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && text.starts_with("Could not convert: ")) {
    const std::string pair = text.substr(text.find(": ") + 2);  // "--lists = abc"
    const std::size_t equals = pair.find(" = ");
    if (equals != std::string::npos) return pair.substr(0, equals) + ": " + pair.substr(equals + 3) + " is no such number";
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option.starts_with('-')) {
    return option + " needs a value";
  }
  return text;
}

Told usage(const Line& line, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // --help, --version
    std::ostringstream said;
    line.app.exit(error, said, said);
    return {said.str()};
  }
  const std::string message = fault(line, error);
  const auto chosen = line.app.get_subcommands();
  complain({Errc::config_invalid,
            message + (message.ends_with('?')
                           ? ""
                           : "; see recmeter " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help")});
  return {"", ExitCode::usage};
}

}  // namespace

Command command_from(int argc, char** argv) {
  Line line;
  define(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(line, error);
  }
  for (const auto& [command, options] : line.commands) {
    if (command->parsed()) return options();
  }
  return Told{line.app.help(), ExitCode::usage};
}

}  // namespace recmeter
