// The command line: which command, with which options; everything else is the commands'. INTERFACES §2.
#include <xxhash.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/version.hpp>
#include <iostream>

#include "app/attach_command.h"
#include "app/config/nearest.h"
#include "app/config/starter.h"
#include "app/config/summary.h"
#include "app/configuration.h"
#include "app/connection_check.h"
#include "app/demo/demo_command.h"
#include "app/exit_code.h"
#include "app/explain_command.h"
#include "app/generate/generate_command.h"
#include "app/interruption.h"
#include "app/messages.h"
#include "app/metrics_command.h"
#include "app/replay_command.h"
#include "app/report_command.h"
#include "app/standard_output.h"
#include "app/state_command.h"
#include "app/top/command.h"
#include "app/version.h"

namespace recmeter {
namespace {

struct CommandLine {
  CLI::App app{
      "recmeter measures recommenders on their event logs: it joins what was shown with what was then done, and writes\n"
      "ranking metrics per window, with confidence intervals.",
      "recmeter"};
  bool json = false;
  AttachCommand attach;
  DemoCommand demo;
  ReplayCommand replay;
  ExplainCommand explain;
  MetricsCommand metrics;
  ReportCommand report;
  StateCommand state;
  TopCommand top;
  generate::GenerateOptions generate;
  std::string validated;
  bool connects = false;
  CLI::App* attach_command = nullptr;
  CLI::App* demo_command = nullptr;
  CLI::App* replay_command = nullptr;
  CLI::App* explain_command = nullptr;
  CLI::App* metrics_command = nullptr;
  CLI::App* report_command = nullptr;
  CLI::App* state_command = nullptr;
  CLI::App* top_command = nullptr;
  CLI::App* generate_command = nullptr;
  CLI::App* validate_command = nullptr;
  CLI::App* init_command = nullptr;
  CLI::App* version_command = nullptr;
};

void define(CommandLine& line) {
  line.app.require_subcommand(0, 1);
  line.app.add_flag("--json", line.json, "Messages on standard error as JSON lines");
  line.app.set_version_flag("-V,--version", [] { return std::string("recmeter " RECMETER_VERSION); }, "Version only");
  line.app.footer("recmeter COMMAND --help tells the options of a command.");
  line.app.fallthrough();
  line.replay_command = add_replay_command(line.app, line.replay);
  line.attach_command = add_attach_command(line.app, line.attach);
  line.demo_command = add_demo_command(line.app, line.demo);
  line.explain_command = add_explain_command(line.app, line.explain);
  line.metrics_command = add_metrics_command(line.app, line.metrics);
  line.report_command = add_report_command(line.app, line.report);
  line.state_command = add_state_command(line.app, line.state);
  line.top_command = add_top_command(line.app, line.top);
  line.generate_command = generate::add_generate_command(line.app, line.generate);
  line.validate_command =
      line.app.add_subcommand("validate", "Check a configuration, all faults at once, and say how it is understood");
  line.validate_command->add_option("CONFIG", line.validated, "Configuration (YAML)")->type_name("")->required();
  line.validate_command->add_flag("--connect", line.connects,
                                  "Also ask brokers for the topics, and look at files, state and address");
  line.init_command = line.app.add_subcommand("init", "Write a commented starter configuration to standard output");
  line.version_command = line.app.add_subcommand("version", "Tell version, build and libraries");
}

// What an unexpected word was probably meant to be.
std::string suggestion(const CommandLine& line, const std::string& word) {
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
std::string fault(const CommandLine& line, const CLI::ParseError& error) {
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
    return option + (text.ends_with("missing") ? " needs a value" : " may be given once only");
  }
  return text;
}

int usage(const CommandLine& line, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return line.app.exit(error);  // --help, --version
  const std::string message = fault(line, error);
  const auto chosen = line.app.get_subcommands();
  complain(message + (message.ends_with('?')
                          ? ""
                          : "; see recmeter " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help"));
  return static_cast<int>(ExitCode::usage);
}

ExitCode validate(const std::string& path, bool connects, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(path);
  if (!config) return ExitCode::usage;
  if (connects) {
    const ConnectionFindings findings = check_connections(*config, stop);
    for (const std::string& fact : findings.facts) say(fact);
    for (const std::string& doubt : findings.doubts) warn(doubt);
    for (const std::string& fault : findings.faults) complain(fault);
    if (!findings.faults.empty()) return ExitCode::failed;
  }
  return print(message_form() == MessageForm::json ? summary_json(*config) + "\n" : summary_text(*config));
}

ExitCode version() {
  std::string text = "recmeter " RECMETER_VERSION "\n";
  text += "build " RECMETER_BUILD_TYPE ", " RECMETER_COMPILER "\n";
  text +=
      "libraries: boost " BOOST_LIB_VERSION ", simdjson " RECMETER_SIMDJSON_VERSION ", yaml-cpp " RECMETER_YAML_CPP_VERSION;
  text += std::string(", zlib ") + zlibVersion() + ", zstd " RECMETER_ZSTD_VERSION ", xxhash " +
          std::to_string(XXH_versionNumber()) + "\n";
  return print(text);
}

ExitCode generate_traffic(const generate::GenerateOptions& options, const std::atomic<bool>& stop) {
  const auto truth = generate::run_generate(options, &stop);
  if (!truth) {
    complain(truth.error().context);
    return exit_code_of(truth.error().code);
  }
  if (options.quiet) return ExitCode::ok;
  if (message_form() == MessageForm::json) {
    std::string json = generate::truth_json(*truth);
    json.pop_back();  // its newline
    std::cerr << R"({"level":"info","truth":)" << json << "}\n";
  } else {
    std::cerr << generate::truth_text(*truth);
  }
  return ExitCode::ok;
}

// Known before the parser is done, for what it has to say itself.
MessageForm form_asked_for(int argc, char** argv) {
  const bool json = std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  return json ? MessageForm::json : MessageForm::text;
}

int run(int argc, char** argv) {
  start_messages(form_asked_for(argc, argv));
  CommandLine line;
  define(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(line, error);
  }
  const std::atomic<bool>& stop = watch_for_interruption();
  if (line.replay_command->parsed()) return static_cast<int>(run_replay(line.replay, stop));
  if (line.attach_command->parsed()) return static_cast<int>(run_attach(line.attach, stop));
  if (line.demo_command->parsed()) return static_cast<int>(run_demo(line.demo, stop));
  if (line.explain_command->parsed()) return static_cast<int>(run_explain(line.explain, stop));
  if (line.metrics_command->parsed()) return static_cast<int>(run_metrics(line.metrics));
  if (line.report_command->parsed()) return static_cast<int>(run_report(line.report, stop));
  if (line.state_command->parsed()) return static_cast<int>(run_state(line.state));
  if (line.top_command->parsed()) return static_cast<int>(run_top(line.top, stop));
  if (line.generate_command->parsed()) return static_cast<int>(generate_traffic(line.generate, stop));
  if (line.validate_command->parsed()) return static_cast<int>(validate(line.validated, line.connects, stop));
  if (line.init_command->parsed()) return static_cast<int>(print(starter_config()));
  if (line.version_command->parsed()) return static_cast<int>(version());
  std::cerr << line.app.help();
  return static_cast<int>(ExitCode::usage);
}

}  // namespace
}  // namespace recmeter

int main(int argc, char** argv) {
  return recmeter::run(argc, argv);
}
