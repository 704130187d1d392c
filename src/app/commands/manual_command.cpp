// The command `recmeter manual`: pages for man(1) and completions for shells, of the definitions that the parser reads. [I2]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/standard_output.h"
#include "app/console/version.h"
#include "app/manual/manual.h"

namespace recmeter {

namespace {

struct ManualCommand {
  std::string name;
  std::string format = "man";
};

manual::Option option_of(CLI::Option& option) {
  manual::Option out;
  out.is_positional = !option.nonpositional();
  if (out.is_positional) out.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0 && !out.is_positional) out.value = option.get_type_name();
  out.text = option.get_description();
  out.is_required = option.get_required();
  if (option.get_items_expected_max() > 0) {
    std::istringstream words(option.get_validator(0)->get_name());
    for (std::string word; std::getline(words, word, '|');) out.words.push_back(word);
  }
  return out;
}

std::vector<manual::Option> options_of(CLI::App& app) {
  std::vector<manual::Option> out;
  for (CLI::Option* option : app.get_options()) out.push_back(option_of(*option));
  return out;
}

manual::Manual manual_of(CLI::App& app) {
  manual::Manual out{
      .summary = app.get_description(), .version = std::string(build_facts().version), .options = {}, .commands = {}};
  for (manual::Option& option : options_of(app)) out.options.push_back(std::move(option));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    manual::CommandPage page{
        .name = command->get_name(), .summary = command->get_description(), .notes = command->get_footer(), .options = {}};
    for (manual::Option& option : options_of(*command)) {
      const auto is_same = [&](const manual::Option& common) { return common.names == option.names; };
      if (std::none_of(out.options.begin(), out.options.end(), is_same)) page.options.push_back(std::move(option));
    }
    out.commands.push_back(std::move(page));
  }
  return out;
}

ExitCode run_manual(const ManualCommand& command, CLI::App& app) {
  const manual::Manual pages = manual_of(app);
  if (command.format == "bash") return print(manual::bash_completion(pages));
  if (command.format == "zsh") return print(manual::zsh_completion(pages));
  if (command.format == "fish") return print(manual::fish_completion(pages));
  if (command.name.empty()) return print(manual::main_page(pages));
  const auto found = std::find_if(pages.commands.begin(), pages.commands.end(),
                                  [&](const manual::CommandPage& page) { return page.name == command.name; });
  return print(manual::command_page(pages, *found));
}

Command define_manual(CLI::App& parser) {
  const auto command = std::make_shared<ManualCommand>();
  CLI::App* sub = parser.add_subcommand("manual", "Print a manual page, or the completions of a shell");
  const AddOption add{sub};
  const auto is_command = [&parser](const std::string& name) -> std::string {
    const auto found = parser.get_subcommands([&](const CLI::App* known) { return known->get_name() == name; });
    return found.empty() ? name + " is no command here" : "";
  };
  add("COMMAND", command->name, "", "Whose page; without it that of recmeter")->check(CLI::Validator(is_command, ""));
  add("-f,--format", command->format, "FORMAT", "man: a page for man -l; bash, zsh or fish: completions of all commands")
      ->check(one_of_words({"man", "bash", "zsh", "fish"}));
  return {sub, [command, &parser](const std::atomic<bool>& /*stop*/) { return run_manual(*command, parser); }};
}

const CommandRegistration manual_registration(CommandPlace::manual, define_manual);

}  // namespace

}  // namespace recmeter
