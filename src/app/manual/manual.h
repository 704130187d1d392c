// Manual: the command line as a value, made of the definitions that the parser reads, and the texts that are made of it:
// pages for man(1), and the completions of bash, zsh and fish. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter::manual {

struct Option {
  std::vector<std::string> names;  // "-c", "--config"; one word such as "INPUT" for what stands without a name
  std::string value;               // what stands for its value: "FILE"; "": a flag, or a word that says it all itself
  std::vector<std::string> words;  // the values there are; empty: not a choice
  std::string text;
  bool is_positional = false;
  bool is_required = false;
};

struct CommandPage {
  std::string name;
  std::string summary;
  std::string notes;  // what stands below the options, such as exit codes
  std::vector<Option> options;
};

struct Manual {
  std::string summary;
  std::string version;
  std::vector<Option> options;  // of every command
  std::vector<CommandPage> commands;
};

// recmeter(1), in the macros of man(7).
[[nodiscard]] std::string main_page(const Manual& manual);
// recmeter-<command>(1).
[[nodiscard]] std::string command_page(const Manual& manual, const CommandPage& command);

[[nodiscard]] std::string bash_completion(const Manual& manual);
[[nodiscard]] std::string zsh_completion(const Manual& manual);
[[nodiscard]] std::string fish_completion(const Manual& manual);

}  // namespace recmeter::manual
