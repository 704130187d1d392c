// The command `recmeter explain`: one list, its feedback and its metrics, line by line. [I2].
#include <sys/stat.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/sort_options.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/explain/explanation.h"
#include "app/explain/list_watch.h"
#include "app/explain/preset_requests.h"
#include "app/run/configuration.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "recmeter/result/render.h"

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

// A replay of everything with one shard, told to `witness`.
Result<Report> watch_run(const Config& config, const ExplainCommand& command, const std::atomic<bool>& stop,
                         const Sorting& sorting, RunWitness& witness) {
  auto inputs = replay_inputs(config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  if (auto fine = check_rereadable(inputs->paths); !fine) return tl::unexpected(std::move(fine).error());
  const auto plan = EvaluatorPlan::make(config.spec, inputs->lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  ThreadPool pool(1);
  if (auto sorted = sort_inputs(*inputs, config.spec.time, sorting, LookThrough::whole, pool, {}); !sorted)
    return tl::unexpected(std::move(sorted).error());
  return watched_replay(*plan, std::move(*inputs), witness, pool, {}, stop);
}

std::string not_found(const explain::Wanted& wanted, const explain::ListFinder& finder, const Report& report) {
  if (!finder.other_users().empty()) {
    return "list " + wanted.list_id + " is not of user " + wanted.user_id + " but of " + *finder.other_users().begin() +
           "; leave --user out or name that one";
  }
  const std::size_t inputs = report.partitions.size();
  std::string text = inputs == 1 ? report.partitions.front().name : std::to_string(inputs) + " inputs";
  text += ": no list " + wanted.list_id + " among " + std::to_string(finder.impressions()) + " impressions";
  if (finder.impressions() > 0) text += " from " + render_utc(finder.first()) + " to " + render_utc(finder.last());
  if (finder.impressions() == 0 && report.events.invalid > 0) {
    text += ", and " + std::to_string(report.events.invalid) + " events were invalid; see recmeter replay --report";
  }
  std::string near;
  for (const std::string& id : finder.near_ids()) near += (near.empty() ? "; did you mean " : ", ") + id;
  return text + (near.empty() ? "; check the id, and that the log holds that time" : near + "?");
}

std::string not_accepted(const explain::Wanted& wanted, const explain::ListWatch& watch, const Report& report) {
  std::string text = "list " + wanted.list_id + " was read, but no impression of it was accepted:";
  for (const auto& seen : watch.impressions()) {
    text += " " + std::string(to_string(seen.fate)) + " in " + report.partitions[seen.input].name + ";";
  }
  return text + " see allowed_lateness and max_step";
}

ExitCode answer(const ExplainCommand& command, const std::vector<explain::WatchedList>& lists, const JoinRule& rule,
                const explain::ListWatch& watch, const Report& report) {
  std::vector<std::string> inputs;
  for (const PartitionReport& partition : report.partitions) inputs.push_back(partition.name);
  if (lists.empty()) {
    complain(Notice::list_missing, not_accepted({command.list_id, command.user_id}, watch, report));
    return ExitCode::failed;
  }
  const bool json = command.format == "json" || (command.format.empty() && message_form() == MessageForm::json);
  std::string out;
  for (const explain::WatchedList& list : lists) {
    const explain::Explanation explanation = explain::explain(list, watch.impressions(), watch.feedback(), rule, inputs);
    if (!json && !out.empty()) out += "\n\n";
    out += json ? json_of(explanation) : text_of(explanation, table_width(false));
  }
  if (lists.size() > 1)
    say(Notice::list_ambiguous,
        std::to_string(lists.size()) + " lists have this id; --user narrows them to those of one user");
  if (report.events.invalid > 0) {
    warn(Notice::input_doubtful, std::to_string(report.events.invalid) +
                                     " events were invalid and have no ids to find them by; see recmeter replay --report");
  }
  return print(out);
}

ExitCode run_explain(const ExplainCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const explain::Wanted wanted{.list_id = command.list_id, .user_id = command.user_id};
  explain::ListFinder finder(wanted);
  const auto sorting = sorting_from(command.sort, "");
  if (!sorting) return report_error(sorting.error());
  // Whose list it is does not depend on the order.
  const auto found = watch_run(*config, command, stop, {.when = SortWhen::never, .space = {}}, finder);
  if (!found) return report_error(found.error());
  if (!found->complete) return ExitCode::interrupted;
  if (finder.users().empty()) {
    complain(Notice::list_missing, not_found(wanted, finder, *found));
    return ExitCode::failed;
  }
  Config whole = *config;
  const auto presets = explain::add_presets(whole.spec);
  const auto plan = EvaluatorPlan::make(whole.spec, Duration{0}, false);
  if (!plan) return report_error(plan.error());
  explain::ListWatch watch(*plan, wanted, finder.users());
  const auto report = watch_run(whole, command, stop, *sorting, watch);
  if (!report) return report_error(report.error());
  if (!report->complete) return ExitCode::interrupted;
  std::vector<explain::WatchedList> lists = watch.take_lists();
  for (explain::WatchedList& list : lists) {
    for (explain::WatchedScore& score : list.scores) explain::attach_presets(score.metrics, presets);
  }
  return answer(command, lists, whole.spec.join, watch, *report);
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
