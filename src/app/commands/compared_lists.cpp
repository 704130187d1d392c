#include "app/commands/compared_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "app/commands/edges.h"
#include "app/commands/for_each_record.h"
#include "app/commands/quiet_replay.h"
#include "app/compare/experiment_plan.h"
#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/text_layout.h"
#include "app/infer/first_records.h"
#include "app/run/configuration.h"
#include "app/run/table_columns.h"
#include "config/nearest.h"
#include "recmeter/file/open_file.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr double alpha_of_lists = 0.05;
constexpr std::string_view by_file = "file";

constexpr std::string_view no_action =
    "nothing to compare: no list was acted on; give the log of actions, too, or see what recmeter doctor says of them";

// The values to compare, and how a table shows them.
struct ComparedLists {
  PairedLists paired;
  std::set<std::string> shown;  // metrics of the table
  std::string headline;
  Better better = Better::higher;
  bool has_too_many = false;   // values of the key
  std::set<std::string> keys;  // segment keys that the log has; filled where no list has the one that is asked for
  ArmsOfUsers users = ArmsOfUsers::unknown;
  bool is_acted_on = true;
};

Result<void> read_list_lines(const AskedLists& asked, const std::atomic<bool>& stop, PairedLists& lists) {
  for (const std::string& path : asked.inputs) {
    auto source = file::open_file(path, {.message_bytes_max = compared_line_bytes_max, .stop = &stop});
    if (!source) return tl::unexpected(std::move(source).error());
    const std::string name = std::filesystem::path(path).filename().string();
    const auto read = for_each_record(**source, "line", stop, [&](std::string_view line) {
      return asked.by == by_file ? lists.add_of(name, line) : lists.add_by(asked.by, line);
    });
    if (!read) return tl::unexpected(read.error());
  }
  return {};
}

// By what a metric of that key is known for; nothing: its name is the user's own.
void choose_headline(const std::vector<PairedLists::Pair>& pairs, ComparedLists& lists) {
  const auto is_moved = [](const PairedLists::Pair& pair) {
    const MetricDefinition* definition = metric_of_key(pair.metric);
    return definition != nullptr && definition->moved_by != MovedBy::every_list;
  };
  const auto first = std::ranges::find_if(pairs, is_moved);
  if (first == pairs.end()) return;
  lists.headline = first->metric;
  lists.better = metric_of_key(first->metric)->better;
}

// Tells whether a file begins with a list that `replay --lists` wrote. A stream is not read for it.
Result<bool> begins_with_list(const std::string& path, const std::atomic<bool>& stop) {
  if (path == "-") return true;
  auto source = file::open_file(path, {.message_bytes_max = compared_line_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  constexpr std::size_t block_bytes = std::size_t{1} << 16;
  auto read = (*source)->read(block_bytes, {});
  // Another form than lines is no list.
  return read && !read->records.empty() && PairedLists::is_list(read->record(0));
}

// Compares all lists of the log, at the longest horizon: as the last line of the first table of a replay.
class EventLists {
 public:
  EventLists(const AskedLists& asked, Config& config) : asked_(asked), spec_(config.spec) {
    const auto& horizons = spec_.join.horizons;
    tally_.horizon = static_cast<std::size_t>(std::ranges::max_element(horizons) - horizons.begin());
    if (asked.by.empty()) return;
    auto& segments = spec_.segments;
    const auto is_key = [&](const SegmentSpec& segment) { return segment.keys == std::vector{asked.by}; };
    const auto place = std::ranges::find_if(segments, is_key);
    tally_.segments = {static_cast<std::size_t>(place - segments.begin())};
    if (place == segments.end()) segments.push_back({.keys = {asked.by}, .keep = {}});
  }

  template <class Print>
  ExitCode plan(const Config& config, const PlanRule& rule, const std::atomic<bool>& stop, const Print& print) {
    ReplayCommand command;
    command.config = asked_.config;
    command.inputs = asked_.inputs;
    const std::string horizon = R"("horizon":")" + render_duration(spec_.join.horizons[tally_.horizon]) + '"';
    PlanLists lists;
    ExitCode printed = ExitCode::ok;
    QuietReplay quiet{.wants_lists = true, .begin = {}};
    quiet.planned = [&](EvaluatorPlan& plan) { plan.tally_lists({.horizon = tally_.horizon}); };
    quiet.begin = [&](const EvaluatorPlan&, ReplayOptions& options) -> RowSink* {
      lists = {};
      options.lists_tally = [&](const ListTally& tally) { of_run_ = tally; };
      options.scored_lists = [&](const ScoredLine& line) -> Result<void> {
        if (line.json.find(horizon) == std::string::npos) return {};
        return lists.add(asked_.by, line.json);
      };
      return nullptr;
    };
    quiet.end = [&](const EvaluatorPlan& plan) {
      ExperimentPlan planned = lists.plan(rule);
      if (planned.metrics.empty()) return;
      std::set<std::string> shown;
      const ListLengths& lengths = of_run_.lengths();
      for (const std::size_t column :
           table_columns(plan.metrics, table_cutoff(spec_.metrics.cutoffs, lengths), lengths.longest(), spec_.join.actions)) {
        const PlannedMetric& metric = plan.metrics.metrics()[column];
        if (is_mean_over_lists(metric)) shown.insert(metric.key);
      }
      std::erase_if(planned.metrics, [&](const MetricPlanRow& row) { return !shown.contains(row.metric); });
      printed = print(planned, rule);
    };
    const ExitCode ended = replay_quietly(command, config, stop, quiet);
    return printed == ExitCode::ok ? ended : printed;
  }

  ExitCode replay(const Config& config, const std::atomic<bool>& stop, ComparedLists& lists) {
    ReplayCommand command;
    command.config = asked_.config;
    command.inputs = asked_.inputs;
    QuietReplay quiet{.begin = {}};
    quiet.planned = [&](EvaluatorPlan& plan) {
      for (std::size_t metric = 0; metric < plan.metrics.metrics().size(); ++metric) {
        if (is_mean_over_lists(plan.metrics.metrics()[metric])) tally_.metrics.push_back(metric);
      }
      plan.tally_lists(tally_);
    };
    quiet.begin = [&](const EvaluatorPlan&, ReplayOptions& options) -> RowSink* {
      options.lists_tally = [&](const ListTally& tally) { of_run_ = tally; };
      return nullptr;
    };
    quiet.end = [&](const EvaluatorPlan& plan) { take(plan, lists); };
    return replay_quietly(command, config, stop, quiet);
  }

 private:
  void take(const EvaluatorPlan& plan, ComparedLists& lists) const {
    const auto metrics = plan.metrics.metrics();
    const std::string horizon = render_duration(spec_.join.horizons[tally_.horizon]);
    for (const auto& [value, arm] : of_run_.arms(0)) {
      for (std::size_t m = 0; m < arm.sums.size(); ++m) {
        lists.paired.add_sums(horizon, value, metrics[tally_.metrics[m]].key, arm.sums[m]);
      }
    }
    lists.has_too_many = of_run_.has_too_many(0);
    lists.users = of_run_.arms_of_users(0);
    lists.is_acted_on = of_run_.acted_on() > 0;
    const auto columns = table_columns(plan.metrics, table_cutoff(spec_.metrics.cutoffs, of_run_.lengths_of_arms(0)),
                                       of_run_.lengths().longest(), spec_.join.actions);
    for (const std::size_t column : columns) lists.shown.insert(metrics[column].key);
    if (const auto compared = compared_column(plan.metrics, columns)) {
      lists.headline = metrics[*compared].key;
      lists.better = metrics[*compared].definition->better;
    }
  }

  const AskedLists& asked_;
  EvaluatorSpec& spec_;
  ListTallySpec tally_;
  ListTally of_run_;
};

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

ExitCode read_events(const AskedLists& asked, const std::atomic<bool>& stop, ComparedLists& lists) {
  std::optional<Config> config = configuration_from(asked.config, edges().check);
  if (!config) return ExitCode::usage;
  if (const auto can = check_no_lanes(asked, *config); !can) return report_error(can.error());
  config->spec.experiments.clear();
  const Config as_written = *config;
  EventLists events(asked, *config);
  const ExitCode ended = events.replay(*config, stop, lists);
  if (lists.paired.variants().empty()) lists.keys = known_keys(asked, as_written, stop);
  return ended;
}

Error nothing_to_compare(const AskedLists& asked, const ComparedLists& lists) {
  const std::vector<std::string> values = lists.paired.variants();
  if (lists.has_too_many) {
    return {Errc::config_invalid, fmt::format("{} has more than {} values; compare by a key that has one for each variant",
                                              asked.by, ListTally::values_max)};
  }
  if (values.empty()) {
    const std::vector<std::string_view> keys(lists.keys.begin(), lists.keys.end());
    const std::string remedy = keys.empty() ? "--by takes a key as `segments` of the configuration and of events have it"
                                            : config::question_or_choices(asked.by, keys);
    return {Errc::config_invalid, "nothing to compare: no list has a value of the segment key " + asked.by + "; " + remedy};
  }
  const std::string of = asked.control.empty() ? "nothing to compare" : "nothing to compare with --control " + asked.control;
  return {Errc::config_invalid, of + "; values of " + asked.by + " in these lists: " + joined(", ", values)};
}

ExitCode print_lists(const AskedLists& asked, ComparedLists& lists) {
  const std::vector<std::string> values = lists.paired.variants();
  const auto control = choose_control(values, asked.control);
  auto pairs = control ? lists.paired.pairs(control->value, alpha_of_lists) : std::vector<PairedLists::Pair>();
  if (pairs.empty()) return report_error(nothing_to_compare(asked, lists));
  if (!lists.is_acted_on) return report_error({Errc::config_invalid, std::string(no_action)});
  if (asked.format == "json") return print(paired_json(pairs, control->value));
  std::set<std::string> metrics;
  for (const auto& pair : pairs) metrics.insert(pair.metric);
  const std::size_t of_all = metrics.size();
  std::erase_if(pairs, [&](const PairedLists::Pair& pair) { return !lists.shown.contains(pair.metric); });
  std::erase_if(metrics, [&](const std::string& metric) { return !lists.shown.contains(metric); });
  if (pairs.empty()) return report_error(nothing_to_compare(asked, lists));
  if (lists.headline.empty()) choose_headline(pairs, lists);
  const PairedAnswer answer{.pairs = std::move(pairs),
                            .control = *control,
                            .headline = lists.headline,
                            .better = lists.better,
                            .left_out = of_all - metrics.size(),
                            .users = lists.users};
  return print(asked.format == "markdown" ? paired_markdown(answer) : paired_text(answer));
}

ExitCode print_plan(const AskedLists& asked, const ExperimentPlan& plan, const PlanRule& rule) {
  if (asked.format == "json") return print(plan_json(plan, rule));
  return print(asked.format == "markdown" ? plan_markdown(plan, rule, asked.by) : plan_text(plan, rule, asked.by));
}

}  // namespace

ExitCode plan_experiment(const AskedLists& asked, double mde, const std::atomic<bool>& stop) {
  std::optional<Config> config = configuration_from(asked.config, edges().check);
  if (!config) return ExitCode::usage;
  if (const auto can = check_no_lanes(asked, *config); !can) return report_error(can.error());
  config->spec.experiments.clear();
  EventLists events(asked, *config);
  return events.plan(*config, {.mde = mde, .alpha = alpha_of_lists}, stop,
                     [&](const ExperimentPlan& plan, const PlanRule& rule) { return print_plan(asked, plan, rule); });
}

ExitCode compare_lists(const AskedLists& asked, const std::atomic<bool>& stop) {
  ComparedLists lists;
  bool are_lists = asked.config.empty();
  if (are_lists && asked.by != by_file) {
    const auto begins = begins_with_list(asked.inputs.front(), stop);
    if (!begins) return report_error(begins.error());
    are_lists = *begins;
  }
  if (are_lists) {
    if (const auto read = read_list_lines(asked, stop, lists.paired); !read) return report_error(read.error());
    lists.shown = lists.paired.metrics_of_a_table();
    lists.keys = lists.paired.keys();
    lists.users = lists.paired.arms_of_users();
    return print_lists(asked, lists);
  }
  const ExitCode ended = read_events(asked, stop, lists);
  const bool is_read = ended == ExitCode::ok || ended == ExitCode::beyond_limits;
  if (!is_read || (ended == ExitCode::beyond_limits && lists.paired.variants().empty())) return ended;
  const ExitCode printed = print_lists(asked, lists);
  return printed == ExitCode::ok ? ended : printed;
}

}  // namespace recmeter
