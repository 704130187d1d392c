// The command `recmeter prequential`: recommenders that were not live, judged on a log. [I2].
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/first_screen.h"
#include "app/commands/option_values.h"
#include "app/commands/replay_request.h"
#include "app/commands/row_output.h"
#include "app/commands/shell_words.h"
#include "app/commands/sort_options.h"
#include "app/compare/league_text.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/text_layout.h"
#include "app/prequential/prequential_report.h"
#include "app/prequential/prequential_run.h"
#include "app/run/configuration.h"
#include "app/run/output_paths.h"
#include "app/run/progress_meter.h"
#include "app/run/row_writer.h"
#include "app/run/thread_pool.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

struct PrequentialCommand {
  std::string config;
  std::string output;  // "": standard output
  std::string format;
  std::string lists;
  std::string record;
  std::string learning_curves;
  std::string report;
  std::string control;   // "": known by its name, else the first recommender
  std::string progress;  // "": a line on a terminal, else plain
  std::optional<unsigned> threads;
  bool all = false;
  SortOptions sort;
  std::vector<std::string> inputs;
};

// null where it is not asked for.
Result<std::unique_ptr<file::AtomicFile>> created(const std::string& path) {
  if (path.empty()) return nullptr;
  return file::AtomicFile::create(path);
}

void tell(const PrequentialSpec& rules, const PrequentialResult& result) {
  for (const std::string& sentence : prequential_summary(result)) say(Notice::run_ended, sentence);
  for (const std::string& sentence : prequential_warnings(rules, result)) warn(Notice::input_doubtful, sentence);
}

// Three phases, each from 0 to 100 %. `meter` outlives the run.
void show_progress(PrequentialOptions& options, ProgressMeter& meter) {
  meter.begin({"reading", "events"});
  options.reading = [&](const ReplayProgress& progress) { meter.show(progress); };
  options.predicting = [&](std::uint64_t requests, std::uint64_t of) {
    if (requests == 0) meter.begin({"predicting", "requests"});
    meter.show({.bytes_read = requests, .bytes_total = of, .events = requests});
  };
  options.judging = [&, begun = false](const ReplayProgress& progress) mutable {
    if (!std::exchange(begun, true)) meter.begin({"judging", "events"});
    meter.show(progress);
  };
  options.complaint = [&](std::string_view recommender, std::string_view line) {
    meter.clear();
    say(Notice::recommender_said, fmt::format("{}: {}", recommender, line));
  };
}

// null: none of them is of kind `shown`.
const RecommenderSpec* shown_of(const PrequentialSpec& rules) {
  const auto shown = std::ranges::find(rules.recommenders, RecommenderKind::shown, &RecommenderSpec::kind);
  return shown != rules.recommenders.end() ? &*shown : nullptr;
}

// The recommender that others are compared with.
Result<std::string> control_of(const PrequentialCommand& command, const PrequentialSpec& rules) {
  std::vector<std::string> names;
  for (const RecommenderSpec& one : rules.recommenders) names.push_back(one.name);
  if (!command.control.empty() && std::ranges::find(names, command.control) == names.end()) {
    return failure(Errc::config_invalid,
                   fmt::format("--control: there is no recommender {}; there are {}", command.control, joined(", ", names)));
  }
  if (!command.control.empty() || names.empty()) return command.control;
  // A new one is compared with what was live.
  if (const RecommenderSpec* live = shown_of(rules)) return live->name;
  return named_control(names).value_or(names.front());
}

std::vector<std::string> more_of(const PrequentialCommand& command) {
  if (!command.lists.empty()) return {"recmeter compare --by recommender " + shell_word(command.lists)};
  return {next_command("prequential", command.config, command.inputs, "--output rows.jsonl --lists lists.jsonl"),
          "recmeter report rows.jsonl --lists lists.jsonl --output page.html"};
}

// Counted over the first ranks, as the metric counts.
std::optional<double> judged_share(const Config& config, std::span<const ListCounts> counts, const PlannedMetric& metric,
                                   std::string_view name) {
  const auto& recommenders = config.prequential.recommenders;
  const auto at = std::ranges::find(recommenders, name, &RecommenderSpec::name) - recommenders.begin();
  const auto& cutoffs = config.spec.metrics.cutoffs;
  const auto cutoff = std::ranges::find(cutoffs, cutoff_of_key(metric.key)) - cutoffs.begin();
  const auto& judged = counts[static_cast<std::size_t>(at)].judged;
  if (static_cast<std::size_t>(cutoff) >= judged.size() || judged[static_cast<std::size_t>(cutoff)].items == 0) return {};
  const JudgedItems& of = judged[static_cast<std::size_t>(cutoff)];
  return static_cast<double>(of.shown) / static_cast<double>(of.items);
}

// How the lists that were shown stand beside those of the others, which may be longer.
std::string note_of_shown(const Config& config, const ListTally& lists, const PlannedMetric& metric) {
  const RecommenderSpec* shown = shown_of(config.prequential);
  if (shown == nullptr) return {};
  std::string note =
      shown->name + " is judged as the others: an action counts in each list of its user that held the item.\n";
  const std::uint32_t cutoff = cutoff_of_key(metric.key);
  const ListTally::Arms arms = lists.arms(0);
  const auto arm = arms.find(shown->name);
  if (arm == arms.end() || cutoff == 0) return note;
  if (2 * arm->second.lengths.reaching(cutoff) < arm->second.lengths.lists()) {
    note += fmt::format(
        "Most of its lists end before rank {}, where it can only lose: add a smaller one to metrics.cutoffs.\n", cutoff);
  } else if (cutoff < table_cutoff(config.spec.metrics.cutoffs, arm->second.lengths)) {
    note += fmt::format("The table ends at rank {}: recommenders fill no more (prequential.length).\n", cutoff);
  } else if (cutoff < table_cutoff(config.spec.metrics.cutoffs, ListLengths::of_one(config.prequential.length))) {
    note += fmt::format("The table ends at rank {}: most lists of {} are no longer.\n", cutoff, shown->name);
  }
  return note;
}

// As of a replay, on what the lists of recommenders add up to. `answer` and `config` outlive the run.
void answer_in_one_screen(const PrequentialCommand& command, const Config& config, const std::string& control,
                          RowWriter& rows, std::optional<FirstAnswer>& answer, PrequentialOptions& options) {
  if (command.all || row_format(command.output, command.format) != RowFormat::table) return;
  options.planned = [&, control](EvaluatorPlan& plan) {
    const PrequentialSpec& rules = config.prequential;
    const RecommenderSpec* shown = shown_of(rules);
    answer.emplace(plan, AnswerSpec{.control = control,
                                    .is_of_recommenders = true,
                                    .shown = shown != nullptr ? shown->name : "",
                                    .length = rules.length,
                                    .compares_order = rules.candidates == PrequentialSpec::Candidates::list});
    plan.tally_lists(answer->tally());
    rows.begin_with(answer->table(), first_table_width(command.output));
  };
  options.tallied = [&, control](const ListTally& lists, std::span<const ListCounts> counts) {
    EndOfLog log;
    log.league = [&](const PairedLists& paired, const PlannedMetric& metric) {
      LeagueSpec league{.control = control, .better = metric.definition->better};
      league.judged = [&](std::string_view name) { return judged_share(config, counts, metric, name); };
      league.note = note_of_shown(config, lists, metric);
      return league_text(paired, league);
    };
    end_first_table(answer->said(lists, log), more_of(command), rows);
  };
}

Result<void> run(const PrequentialCommand& command, const std::atomic<bool>& stop, const Config& config) {
  const auto sorting = sorting_from(command.sort, command.output);
  if (!sorting) return tl::unexpected(sorting.error());
  auto inputs = replay_inputs(config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  for (const std::string& sentence : inputs->lacking) warn(Notice::input_doubtful, sentence);
  std::vector<NamedPath> outputs{{is_standard_output(command.output) ? "-" : command.output, "--output"}};
  if (!command.lists.empty()) outputs.push_back({command.lists, "--lists"});
  if (!command.record.empty()) outputs.push_back({command.record, "--record"});
  if (!command.report.empty()) outputs.push_back({command.report, "--report"});
  if (!command.learning_curves.empty()) outputs.push_back({command.learning_curves, "--learning-curves"});
  std::vector<NamedPath> read = paths_read(config, command.config, inputs->paths);
  for (const RecommenderSpec& one : config.prequential.recommenders) {
    if (!one.file.empty()) read.push_back({one.file, "the lists of " + one.name});
  }
  if (auto distinct = check_outputs_distinct(outputs, read); !distinct) return distinct;

  tell_form(command.output, command.format);
  auto rows = open_rows(command.output, command.format, command.all);
  if (!rows) return tl::unexpected(std::move(rows).error());
  const auto control = control_of(command, config.prequential);
  if (!control) return tl::unexpected(control.error());
  auto lists = created(command.lists);
  if (!lists) return tl::unexpected(std::move(lists).error());
  auto record = created(command.record);
  if (!record) return tl::unexpected(std::move(record).error());
  auto curves = created(command.learning_curves);
  if (!curves) return tl::unexpected(std::move(curves).error());
  auto report = created(command.report == "-" ? "/dev/stdout" : command.report);
  if (!report) return tl::unexpected(std::move(report).error());

  PrequentialOptions options{.sorting = *sorting};
  options.threads = thread_count(command.threads.value_or(config.threads));
  options.record = record->get();
  options.learning_curves = curves->get();
  if (*lists) options.scored_lists = [&](const ScoredLine& line) { return (*lists)->write(line.json + "\n"); };
  std::optional<FirstAnswer> answer;
  answer_in_one_screen(command, config, *control, **rows, answer, options);
  ProgressMeter meter(progress_form(command.progress));
  show_progress(options, meter);
  const auto result = prequential_run(config, std::move(*inputs), options, **rows, stop);
  meter.clear();
  if (!result) return tl::unexpected(result.error());
  if (*report) {
    if (auto written = (*report)->write(prequential_report(config.prequential, config.spec.metrics.cutoffs, *result));
        !written)
      return written;
  }
  for (auto* file : {lists->get(), record->get(), curves->get(), report->get()}) {
    if (file == nullptr) continue;
    if (auto settled = file->settle(); !settled) return settled;
  }
  if (auto done = (*rows)->finish(); !done) return done;
  for (auto* file : {lists->get(), record->get(), curves->get(), report->get()}) {
    if (file == nullptr) continue;
    if (auto done = file->commit(); !done) return done;
  }
  tell(config.prequential, *result);
  return {};
}

ExitCode run_prequential(const PrequentialCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto done = run(command, stop, *config);
  return done ? ExitCode::ok : report_error(done.error());
}

Command define_prequential(CLI::App& parser) {
  const auto command = std::make_shared<PrequentialCommand>();
  CLI::App* sub = parser.add_subcommand("prequential",
                                        "Judge recommenders that were not live: predict, evaluate and learn, in event time");
  const AddOption add{sub};
  add("INPUT", command->inputs, "", "Logs as for replay; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML) with `recommenders`");
  add("-o,--output", command->output, "FILE", "Where rows go; standard output by default");
  add("-r,--report", command->report, "FILE",
      "Where the run report goes (JSON), with what each recommender answered; - is standard output, with --output to a file");
  add("-f,--format", command->format, "FORMAT", "jsonl, csv or table; by default a table on a terminal, else jsonl")
      ->check(one_of_words({"jsonl", "csv", "table"}));
  add("-l,--lists", command->lists, "FILE",
      "Where every list goes with its values (JSONL): recmeter report --lists compares");
  add("--record", command->record, "FILE", "Where the lists themselves go (JSONL), to be judged again by kind: recorded");
  add("--learning-curves", command->learning_curves, "FILE",
      "Where learning curves and the calibration of confidence go (JSONL)");
  add("-j,--threads", command->threads, "N", "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->check(whole_number_up_to(threads_max));
  add("--control", command->control, "NAME",
      "What the others are compared with below a table; else the one of kind: shown, one called so, or the first");
  add_sorting(add, command->sort);
  add("--progress", command->progress, "FORM", "plain, json or none: how far it is, on standard error after 2 s")
      ->check(one_of_words({"plain", "json", "none"}));
  sub->add_flag("--all", command->all, "A table has all windows, segments and metrics, not those that fit one screen");
  sub->footer("Exit codes: 0 done; 1 failed; 2 usage or configuration; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_prequential(*command, stop); }};
}

const CommandRegistration prequential_registration(CommandPlace::prequential, define_prequential);

}  // namespace

}  // namespace recmeter
