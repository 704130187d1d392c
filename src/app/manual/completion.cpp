#include <fmt/format.h>

#include "app/manual/manual.h"

namespace recmeter::manual {

namespace {

// Within single quotes of bash and zsh.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

bool is_path(const Option& option) {
  const std::string_view value =
      option.is_positional ? std::string_view(option.names.front()) : std::string_view(option.value);
  return value == "FILE" || value == "DIR" || value == "INPUT" || value == "CONFIG" || value == "LOG" || value == "ROWS";
}

std::vector<std::string> names_of(const Manual& manual, const CommandPage& command) {
  std::vector<std::string> names;
  for (const auto* options : {&command.options, &manual.options}) {
    for (const Option& option : *options) {
      if (!option.is_positional) names.insert(names.end(), option.names.begin(), option.names.end());
    }
  }
  return names;
}

// The last `\` of a description would take the bracket that ends it; a `:` ends a field.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : shell_quoted(text)) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      if (c != '\\') out += '\\';
    }
    out += c;
  }
  return out;
}

std::string zsh_value(const Option& option) {
  if (!option.words.empty()) return fmt::format(":{}:({})", zsh_text(option.value), joined(option.words));
  if (is_path(option)) return fmt::format(":{}:_files", zsh_text(option.is_positional ? option.names.front() : option.value));
  return fmt::format(":{}:", zsh_text(option.value));
}

std::string zsh_argument(const Option& option) {
  if (option.is_positional) return fmt::format("    '*{}'", zsh_value(option));
  const std::string value = option.value.empty() ? "" : zsh_value(option);
  const std::string text = zsh_text(option.text);
  if (option.names.size() == 1) return fmt::format("    '{}[{}]{}'", option.names.front(), text, value);
  return fmt::format("    '({})'{{{}}}'[{}]{}'", joined(option.names), joined(option.names, ","), text, value);
}

std::string fish_option(std::string_view condition, const Option& option) {
  std::string line = "complete -c recmeter";
  if (!condition.empty()) line += fmt::format(" -n '__fish_seen_subcommand_from {}'", condition);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  }
  if (!option.words.empty())
    line += fmt::format(" -x -a '{}'", joined(option.words));
  else if (!option.value.empty())
    line += is_path(option) ? " -r -F" : " -x";
  std::string text;
  for (const char c : option.text) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return fmt::format("{} -d '{}'\n", line, text);
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::vector<std::string> commands;
  for (const CommandPage& command : manual.commands) commands.push_back(command.name);
  std::string cases;
  std::string values;
  for (const CommandPage& command : manual.commands) {
    cases += fmt::format("    {}) options='{}' ;;\n", command.name, joined(names_of(manual, command)));
    for (const Option& option : command.options) {
      if (option.is_positional || option.value.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + " " + name);
      const std::string reply =
          !option.words.empty()
              ? fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")", shell_quoted(joined(option.words)))
          : is_path(option) ? "compopt -o default"
                            : ":";
      values += fmt::format("    '{}') {}; return ;;\n", joined(patterns, "' | '"), reply);
    }
  }
  return fmt::format(
      R"(# Completion of recmeter for bash, made from its command definitions by `recmeter manual --format bash`.
_recmeter() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' options='' word
  COMPREPLY=()
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  case $command in
    '') options='{0} {1}' ;;
{2}  esac
  case "$command $previous" in
{3}  esac
  if [[ -z $command || $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  else
    compopt -o default
  fi
}}
complete -F _recmeter recmeter
)",
      joined(commands), joined(names_of(manual, {})), cases, values);
}

std::string zsh_completion(const Manual& manual) {
  std::string commands;
  std::string cases;
  std::string common;
  for (const Option& option : manual.options) common += " \\\n  " + zsh_argument(option);
  for (const CommandPage& command : manual.commands) {
    commands += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
    std::string arguments = common;
    for (const Option& option : command.options) arguments += " \\\n  " + zsh_argument(option);
    cases += fmt::format("  {})\n    _arguments -s{} ;;\n", command.name, arguments);
  }
  return fmt::format(R"(#compdef recmeter
# Completion of recmeter for zsh, made from its command definitions by `recmeter manual --format zsh`.
_recmeter() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_recmeter "$@"
)",
                     commands, cases);
}

std::string fish_completion(const Manual& manual) {
  std::string out =
      "# Completion of recmeter for fish, made from its command definitions by `recmeter manual --format fish`.\n";
  for (const CommandPage& command : manual.commands) {
    out += fmt::format("complete -c recmeter -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       shell_quoted(command.summary));
  }
  for (const Option& option : manual.options) out += fish_option("", option);
  for (const CommandPage& command : manual.commands) {
    for (const Option& option : command.options) {
      if (!option.is_positional)
        out += fish_option(command.name, option);
      else if (is_path(option))
        out += fmt::format("complete -c recmeter -n '__fish_seen_subcommand_from {}' -F\n", command.name);
    }
  }
  return out;
}

}  // namespace recmeter::manual
