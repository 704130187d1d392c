#include "app/commands/compare_by.h"

#include <optional>
#include <set>
#include <utility>

#include "app/answers/compared_lists.h"
#include "app/answers/event_lists.h"
#include "app/commands/edges.h"
#include "app/commands/quiet_replay.h"
#include "app/compare/experiment_plan.h"
#include "app/compare/paired_text.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/infer/first_records.h"
#include "app/run/configuration.h"

namespace recmeter {

namespace {

Result<void> check_no_lanes(const AskedLists& asked, const Config& config) {
  if (!config.spec.lanes.is_wanted()) return {};
  return failure(
      Errc::config_invalid,
      asked.config + ": it has lanes, whose lists are compared as replay --lists writes them: give compare that file");
}

// Segment keys of the configuration and of the first records.
std::set<std::string> known_keys(const AskedLists& asked, const Config& config, const std::atomic<bool>& stop) {
  std::set<std::string> keys;
  for (const SegmentSpec& segment : config.spec.segments) keys.insert(segment.keys.begin(), segment.keys.end());
  const auto add = [&](const RecordBatch&, const EventBatch& events) {
    for (const Event& event : events.events()) {
      if (event.outcome != Outcome::event) continue;
      for (std::size_t i = 0; i < event.segment_count; ++i) keys.emplace(events.segment_key(event, i));
    }
  };
  // Records that cannot be read again leave the keys of the configuration.
  (void)decode_first_records(config, asked.inputs, stop, add);
  keys.erase(asked.by);
  return keys;
}

// The configuration of lists alone. Nothing: it cannot be, which is told.
std::optional<Config> config_of_lists(const AskedLists& asked) {
  std::optional<Config> config = configuration_from(asked.config, edges().check);
  if (!config) return std::nullopt;
  if (const auto can = check_no_lanes(asked, *config); !can) {
    (void)report_error(can.error());
    return std::nullopt;
  }
  config->spec.experiments.clear();
  return config;
}

ReplayCommand replay_of(const AskedLists& asked) {
  ReplayCommand command;
  command.config = asked.config;
  command.inputs = asked.inputs;
  return command;
}

ExitCode read_events(const AskedLists& asked, const std::atomic<bool>& stop, ComparedLists& lists) {
  std::optional<Config> config = config_of_lists(asked);
  if (!config) return ExitCode::usage;
  const Config as_written = *config;
  const ReplayCommand command = replay_of(asked);
  const auto log = asked_log(command, *config, stop);
  if (!log) return report_error(log.error());
  EventLists events(asked.by, *config);
  const ExitCode ended = told(events.compare(*log, lists));
  if (lists.paired.variants().empty()) lists.keys = known_keys(asked, as_written, stop);
  return ended;
}

ExitCode print_lists(const AskedLists& asked, const ComparedLists& lists) {
  const auto answer = answer_of({.by = asked.by, .control = asked.control}, lists);
  if (!answer) return report_error(answer.error());
  if (asked.format == "json") return print(paired_json(answer->pairs, answer->table.control.value));
  return print(asked.format == "markdown" ? paired_markdown(answer->table) : paired_text(answer->table));
}

ExitCode print_plan(const AskedLists& asked, const ExperimentPlan& plan, const PlanRule& rule) {
  if (asked.format == "json") return print(plan_json(plan, rule));
  return print(asked.format == "markdown" ? plan_markdown(plan, rule, asked.by) : plan_text(plan, rule, asked.by));
}

}  // namespace

ExitCode plan_experiment(const AskedLists& asked, double mde, const std::atomic<bool>& stop) {
  std::optional<Config> config = config_of_lists(asked);
  if (!config) return ExitCode::usage;
  const ReplayCommand command = replay_of(asked);
  const auto log = asked_log(command, *config, stop);
  if (!log) return report_error(log.error());
  const PlanRule rule{.mde = mde, .alpha = alpha_of_lists};
  ExperimentPlan planned;
  EventLists events(asked.by, *config);
  const ExitCode ended = told(events.plan(*log, rule, planned));
  const bool is_read = ended == ExitCode::ok || ended == ExitCode::beyond_limits;
  if (!is_read || planned.lists == 0) return ended;
  const ExitCode printed = print_plan(asked, planned, rule);
  return printed == ExitCode::ok ? ended : printed;
}

ExitCode compare_lists(const AskedLists& asked, const std::atomic<bool>& stop) {
  bool are_lists = asked.config.empty();
  if (are_lists && asked.by != by_file) {
    const auto begins = begins_with_list(asked.inputs.front(), stop);
    if (!begins) return report_error(begins.error());
    are_lists = *begins;
  }
  if (are_lists) {
    const auto lists = read_list_files(asked.inputs, asked.by, stop);
    return lists ? print_lists(asked, *lists) : report_error(lists.error());
  }
  ComparedLists lists;
  const ExitCode ended = read_events(asked, stop, lists);
  const bool is_read = ended == ExitCode::ok || ended == ExitCode::beyond_limits;
  if (!is_read || (ended == ExitCode::beyond_limits && lists.paired.variants().empty())) return ended;
  const ExitCode printed = print_lists(asked, lists);
  return printed == ExitCode::ok ? ended : printed;
}

}  // namespace recmeter
