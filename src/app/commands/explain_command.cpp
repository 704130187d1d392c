// The command `recmeter explain`: one list, its feedback and its metrics, line by line. [I2].
#include <sys/stat.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/answers/explained_lists.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/sort_options.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/run/configuration.h"
#include "app/run/replay_inputs.h"

namespace recmeter {

namespace {

struct ExplainCommand {
  std::string config;
  std::string list_id;
  std::string user_id;  // "": of every user
  std::string format;   // "": text, or JSON where messages are
  SortOptions sort;
  std::vector<std::string> inputs;
};

// The inputs are read twice.
Result<void> check_rereadable(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    struct stat status{};
    const bool stream = path == "-" || (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
    if (stream) {
      return failure(Errc::config_invalid,
                     (path == "-" ? std::string("standard input") : path) +
                         " can be read only once, and explain reads its inputs twice; write it to a file first");
    }
  }
  return {};
}

ExitCode answer(const ExplainCommand& command, const ExplainedLists& found) {
  if (!found.missing.empty()) {
    complain(Notice::list_missing, found.missing);
    return ExitCode::failed;
  }
  const bool json = command.format == "json" || (command.format.empty() && message_form() == MessageForm::json);
  std::string out;
  for (const explain::Explanation& list : found.lists) {
    if (!json && !out.empty()) out += "\n\n";
    out += json ? json_of(list) : text_of(list, table_width(false));
  }
  if (found.lists.size() > 1)
    say(Notice::list_ambiguous,
        std::to_string(found.lists.size()) + " lists have this id; --user narrows them to those of one user");
  if (found.invalid > 0) {
    warn(Notice::input_doubtful, std::to_string(found.invalid) +
                                     " events were invalid and have no ids to find them by; see recmeter replay --report");
  }
  return print(out);
}

ExitCode run_explain(const ExplainCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto sorting = sorting_from(command.sort, "");
  if (!sorting) return report_error(sorting.error());
  AskedLog log{.open = {}, .sorting = *sorting, .stop = stop};
  log.open = [&](const Config& of) -> Result<ReplayInputs> {
    auto inputs = replay_inputs(of, command.inputs, minus_infinity, edges().inputs, stop);
    if (!inputs) return inputs;
    if (auto fine = check_rereadable(inputs->paths); !fine) return tl::unexpected(std::move(fine).error());
    return inputs;
  };
  const auto found = explain_lists({.list_id = command.list_id, .user_id = command.user_id}, *config, log);
  if (!found) return report_error(found.error());
  return found->is_complete ? answer(command, *found) : ExitCode::interrupted;
}

Command define_explain(CLI::App& parser) {
  const auto command = std::make_shared<ExplainCommand>();
  CLI::App* sub =
      parser.add_subcommand("explain", "Show one list, what happened to its feedback and why, and every metric's arithmetic");
  const AddOption add{sub};
  add("INPUT", command->inputs, "", "Logs as for replay, but no standard input: they are read twice; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML); without it the defaults");
  add("-l,--list", command->list_id, "ID", "The list's id; every list of that id is shown")->required();
  add("-u,--user", command->user_id, "ID", "Only lists of this user");
  add_sorting(add, command->sort);
  add("-f,--format", command->format, "FORMAT", "text, or json: an object a line; by default text, json with --json")
      ->check(one_of_words({"text", "json"}));
  sub->footer("Exit codes: 0 done; 1 no such list, or failed; 2 usage or configuration; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_explain(*command, stop); }};
}

const CommandRegistration explain_registration(CommandPlace::explain, define_explain);

}  // namespace

}  // namespace recmeter
