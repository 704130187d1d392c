#include "app/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/command_examples.h"
#include "app/console/messages.h"
#include "app/console/standard_output.h"
#include "app/console/version.h"
#include "config/nearest.h"

namespace recmeter {

namespace {

// Commands that a build without Kafka, RocksDB and HTTP leaves out.
bool is_left_out(std::string_view word) {
  constexpr std::array<std::string_view, 4> names{"attach", "demo", "state", "top"};
  return std::find(names.begin(), names.end(), word) != names.end();
}

// Commands by what one wants, each with an example.
struct CommandGroup {
  const char* heading;
  std::vector<std::string_view> commands;
};
const std::array<CommandGroup, 6>& command_groups() {
  static const std::array<CommandGroup, 6> groups{{
      {"Begin with a log (recmeter infer shown.csv clicks.csv > c.yaml)", {"infer", "doctor", "validate", "init"}},
      {"Measure (recmeter replay --config c.yaml shown.csv clicks.csv)", {"replay", "explain", "report", "metrics"}},
      {"Compare (recmeter compare --by variant --control A lists.jsonl)",
       {"compare", "why", "prequential", "recommenders", "examination"}},
      {"Run live (recmeter attach --config c.yaml)", {"attach", "top", "state"}},
      {"Measure in parts (recmeter merge part*.partial --output rows.jsonl)", {"stamp", "merge"}},
      {"Try and look up (recmeter demo)", {"demo", "generate", "manual", "version"}},
  }};
  return groups;
}

void group_commands(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (const CommandGroup& group : command_groups()) {
      if (std::ranges::find(group.commands, command->get_name()) != group.commands.end()) command->group(group.heading);
    }
  }
}

// Below the options, before exit codes and the like.
void add_examples(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    std::string lines;
    std::istringstream examples{std::string(example_of(command->get_name()))};
    for (std::string line; std::getline(examples, line);) lines += "  " + line + "\n";
    if (!lines.empty()) command->footer("For example\n" + lines + command->get_footer());
  }
}

// `help` is --help, and `help replay` is `replay --help`.
std::vector<const char*> without_help_word(const CLI::App& app, int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (words.size() < 2 || std::string_view(words[1]) != "help") return words;
  words.erase(words.begin() + 1);
  // A word that is no command is a mistake, and told as one.
  const bool is_known = words.size() < 2 || std::ranges::any_of(
                                                app.get_subcommands([](const CLI::App*) { return true; }),
                                                [&](const CLI::App* command) { return command->get_name() == words[1]; });
  if (is_known) words.push_back("--help");
  return words;
}

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

// What an unexpected word was probably meant to be.
std::string suggestion(const CLI::App& parser, const std::string& word) {
  std::vector<std::string> names;
  if (word.starts_with('-')) {
    const auto chosen = parser.get_subcommands();
    for (const CLI::Option* option : (chosen.empty() ? &parser : chosen.front())->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    names.emplace_back("--json");
  } else {
    for (const CLI::App* command : parser.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = config::nearest(word.substr(0, word.find('=')), views);
  return near ? "; did you mean " + std::string(*near) + "?" : "";
}

// The parser's sentence in the words of this program, without a full stop or a remedy.
std::string fault(const CLI::App& parser, const CLI::ParseError& error) {
  std::string text = error.what();
  const std::vector<std::string> rest = parser.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    const std::string& word = rest.front();
    if (word.starts_with('-')) return word + " is no option here" + suggestion(parser, word);
    if (parser.get_subcommands().empty() && is_left_out(word)) {
      return word +
             " needs Kafka, RocksDB and HTTP, and this program was built without them (RECMETER_CORE_ONLY); build preset "
             "release";
    }
    if (parser.get_subcommands().empty()) return word + " is no command here" + suggestion(parser, word);
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

ExitCode usage(const CLI::App& parser, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // --help, --version
    std::ostringstream said;
    parser.exit(error, said, said);
    return print(said.str());
  }
  const std::string message = fault(parser, error);
  const auto chosen = parser.get_subcommands();
  complain({Errc::config_invalid,
            message + (message.ends_with('?')
                           ? ""
                           : "; see recmeter " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") + "--help")});
  return ExitCode::usage;
}

}  // namespace

ExitCode run_command_line(int argc, char** argv, const std::atomic<bool>& stop) {
  CLI::App app{
      "recmeter measures recommenders on their event logs: it joins what was shown with what was then done, and writes\n"
      "ranking metrics per window, with confidence intervals.",
      "recmeter"};
  bool json = false;  // seen before the parser began
  app.require_subcommand(0, 1);
  app.add_flag("--json", json, "Messages on standard error as JSON lines");
  app.set_version_flag("-V,--version", [] { return "recmeter " + std::string(build_facts().version); }, "Version only");
  app.fallthrough();
  const std::vector<Command> commands = define_commands(app);
  settle_options(app);
  group_commands(app);
  add_examples(app);
  app.footer("recmeter help COMMAND shows the options of a command.");  // not before: commands would have it, too
  const std::vector<const char*> words = without_help_word(app, argc, argv);
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  }
  for (const Command& command : commands) {
    if (command.options->parsed()) return command.run(stop);
  }
  std::cerr << app.help();
  return ExitCode::usage;
}

}  // namespace recmeter
