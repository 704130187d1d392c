// The command `recmeter replay`: files in, rows and a run report out. [I2].
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/experiment_rows.h"
#include "app/commands/first_screen.h"
#include "app/commands/option_values.h"
#include "app/commands/part_run.h"
#include "app/commands/replay_request.h"
#include "app/commands/row_output.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/run/configuration.h"
#include "app/run/pace.h"
#include "app/run/pinned_ends.h"
#include "app/run/row_writer.h"
#include "app/run/run_verdict.h"
#include "app/run/tzdata.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::size_t paced_block_bytes = std::size_t{1} << 14;  // so that event time moves in small steps

// Outputs that are given their names together, when all is written.
struct Outputs {
  std::unique_ptr<RowWriter> rows;
  std::unique_ptr<file::AtomicFile> report;
  std::unique_ptr<file::AtomicFile> lists;
  std::unique_ptr<file::AtomicFile> curves;
  std::unique_ptr<file::AtomicFile> experiments;
};

// Rows where rows go, and their curves where those are wanted.
class RowsAndCurves : public RowSink {
 public:
  // `watch` may be null.
  RowsAndCurves(Outputs& outputs, ReplayWatch* watch) : outputs_(outputs), watch_(watch) {}

  Result<void> write(const Row& row) override {
    if (outputs_.curves) {
      if (auto written = outputs_.curves->write(render_curve(row)); !written) return written;
    }
    if (watch_ == nullptr) return outputs_.rows->write(row);
    const SharedRow rendered = render(row);
    watch_->seen(rendered);
    return outputs_.rows->write(*rendered);
  }

 private:
  Outputs& outputs_;
  ReplayWatch* watch_;
};

// `answer`: null where no table is to answer in one screen.
Result<Outputs> create_outputs(const ReplayCommand& command, const FirstAnswer* answer) {
  auto rows = open_rows(command.output, command.format, command.all);
  if (!rows) return tl::unexpected(std::move(rows).error());
  if (answer != nullptr) (*rows)->begin_with(answer->table(), first_table_width(command.output));
  Outputs outputs{.rows = std::move(*rows), .report = nullptr, .lists = nullptr, .curves = nullptr, .experiments = nullptr};
  for (auto [path, file] :
       {std::pair(&command.report, &outputs.report), std::pair(&command.lists, &outputs.lists),
        std::pair(&command.curves, &outputs.curves), std::pair(&command.experiments, &outputs.experiments)}) {
    if (path->empty()) continue;
    auto created = file::AtomicFile::create(*path == "-" ? "/dev/stdout" : *path);
    if (!created) return tl::unexpected(std::move(created).error());
    (*created)->drop_unread();
    *file = std::move(*created);
  }
  // A replay that nobody reads goes on for what else it writes only.
  if (outputs.report || outputs.lists || outputs.curves || outputs.experiments) outputs.rows->drop_unread();
  return outputs;
}

// All are written out before the first gets its name: a full disk leaves either every output or none.
Result<void> finish_outputs(Outputs& outputs, const Report& report) {
  if (outputs.report) {
    if (auto written = outputs.report->write(render_json(report)); !written) return written;
    if (auto settled = outputs.report->settle(); !settled) return settled;
  }
  for (const auto* file : {&outputs.lists, &outputs.curves, &outputs.experiments}) {
    if (!*file) continue;
    if (auto settled = (*file)->settle(); !settled) return settled;
  }
  if (auto done = outputs.rows->finish(); !done) return done;
  for (const auto* file : {&outputs.lists, &outputs.curves, &outputs.experiments}) {
    if (!*file) continue;
    if (auto done = (*file)->commit(); !done) return done;
  }
  return outputs.report ? outputs.report->commit() : Result<void>{};
}

// Holds the replay back while event time runs ahead of the reader's; stops waiting when it is to end.
std::function<void(EventTime, EventTime)> pace_of(double factor, const std::atomic<bool>& stop) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const auto now = [] { return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  return [pace = Pace(factor, now), &stop](EventTime first, EventTime reached) mutable {
    constexpr double nap_ms = 50;
    for (double ahead = pace.ahead(first, reached); ahead > 0 && !stop; ahead = pace.ahead(first, reached)) {
      std::this_thread::sleep_for(Milliseconds(std::min(ahead, nap_ms)));
    }
  };
}

// Nothing goes out before the run is whole.
Result<void> hold_back(Outputs& outputs) {
  if (auto held = outputs.rows->hold_back(); !held) return held;
  for (const auto* file : {&outputs.report, &outputs.lists, &outputs.curves, &outputs.experiments}) {
    if (!*file) continue;
    if (auto held = (*file)->hold_back(); !held) return held;
  }
  return {};
}

// Over HTTP only what --listen says: the service that the configuration is of may run beside.
Result<void> set_listening(const ReplayCommand& command, Config& config) {
  PublishSpec::Http& http = config.publish.http;
  http.is_on = http.is_written = config.spec.metrics.left_out = !command.listen.empty();
  http.probes.clear();
  if (!http.is_on) return {};
  if (std::ranges::all_of(config.spec.windows, &WindowSpec::is_whole)) {
    return failure(Errc::config_invalid,
                   "--listen shows windows in time, and there is only `size: all`; add one, such as {name: hour, size: 1h}");
  }
  return listen_at(command.listen, http);
}

Result<Report> replay_to_outputs(const ReplayRequest& request, ReplayInputs inputs, Outputs& outputs,
                                 const FirstAnswer* answer) {
  std::optional<RowsAndCurves> sink;
  std::optional<ExperimentRows> experiments;
  bool is_second = false;
  tell_form(request.command.output, request.command.format);
  ListTally tally;
  OrderedReplay replay = ordered_replay(request);
  replay.begin = [&](bool may_be_vain, ReplayOptions& options) -> Result<RowSink*> {
    if (std::exchange(is_second, true)) {
      auto anew = create_outputs(request.command, answer);
      if (!anew) return tl::unexpected(std::move(anew).error());
      outputs = std::move(*anew);
    }
    if (may_be_vain) {
      if (auto held = hold_back(outputs); !held) return tl::unexpected(std::move(held).error());
    }
    if (request.speed) {
      options.block_bytes = paced_block_bytes;
      options.pace = pace_of(*request.speed, request.stop);
    }
    if (request.watch != nullptr) {
      options.status = [&](const std::function<RunStatus()>& make) { request.watch->stands(make); };
    }
    if (outputs.lists) {
      options.scored_lists = [&](const ScoredLine& line) { return outputs.lists->write(line.json + "\n"); };
    }
    options.lists_tally = [&](const ListTally& lists) { tally = lists; };
    experiments.emplace(request.plan, *outputs.rows, outputs.experiments.get());
    options.looks = [&](const ExperimentLook& look) { return experiments->write(look); };
    return &sink.emplace(outputs, request.watch);
  };
  auto report = replay_in_order(replay, std::move(inputs));
  if (!report) return report;
  experiments->end_table();
  if (answer != nullptr) {
    const EndOfLog log{.gap = report->gap_at_end, .has_actions = report->events.feedback > 0};
    end_first_table(answer->said(tally, log), more_commands(answer->more(tally), request.command), *outputs.rows);
  }
  return report;
}

Result<void> check_asked(const ReplayCommand& command, const Config& config) {
  if (config.spec.metrics.curves && config.spec.join.key.by == JoinKey::By::list) {
    return failure(Errc::config_invalid,
                   "--curves counts what users missed, which join.key: list does not know; remove either");
  }
  if (!command.experiments.empty() && config.spec.experiments.empty()) {
    return failure(Errc::config_invalid,
                   "--experiments: none is configured; write them under `experiments`, or remove the option");
  }
  return {};
}

// Nothing: rows go out in another form, or all of them are asked for.
std::optional<FirstAnswer> first_answer(const ReplayCommand& command, EvaluatorPlan& plan) {
  if (command.all || row_format(command.output, command.format) != RowFormat::table) return std::nullopt;
  FirstAnswer answer(plan);
  plan.tally_lists(answer.tally());
  return answer;
}

// Null: nobody watches.
Result<std::unique_ptr<ReplayWatch>> start_watch(const Config& config) {
  if (!config.publish.http.is_on) return nullptr;
  if (edges().watch_replay == nullptr) {
    return failure(Errc::config_invalid,
                   "--listen: this program was built without HTTP (RECMETER_CORE_ONLY); build preset release");
  }
  auto watch = edges().watch_replay(config);
  if (watch) say(Notice::page_ready, "dashboard: " + (*watch)->url());
  return watch;
}

ExitCode run_replay(const ReplayCommand& command, const std::atomic<bool>& stop) {
  std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  tell_unused_keys(*config);
  config->spec.metrics.curves = !command.curves.empty();
  if (const auto can = check_asked(command, *config); !can) return report_error(can.error());
  const auto speed = parse_speed(command.speed);
  if (!speed)
    return report_error({Errc::config_invalid, "--speed: " + command.speed + " is not a speed; write max, 1x or 60x"});
  if (const auto listens = set_listening(command, *config); !listens) return report_error(listens.error());
  const auto range = range_from(command);
  if (!range) return report_error(range.error());
  auto sorting = sorting_from(command.sort, command.output);
  if (!sorting) return report_error(sorting.error());
  // Rows that somebody watches are shown as they are made.
  if (sorting->when == SortWhen::automatic && (config->publish.http.is_on || speed->factor)) sorting->when = SortWhen::never;
  const auto ends = read_ends(command.ends);
  if (!ends) return report_error(ends.error());
  auto inputs = replay_inputs(*config, command.inputs, range->from, edges().inputs, stop, *ends);
  if (!inputs) return report_error(inputs.error());
  if (const auto distinct = check_outputs(command, *config, inputs->paths); !distinct) return report_error(distinct.error());
  const bool follows_experiments =
      !command.experiments.empty() || row_format(command.output, command.format) == RowFormat::table;
  auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, !command.lists.empty(), follows_experiments);
  if (!plan) return report_error(plan.error());
  const std::optional<FirstAnswer> answer = first_answer(command, *plan);
  auto outputs = create_outputs(command, answer ? &*answer : nullptr);
  if (!outputs) return report_error(outputs.error());
  const auto started = start_watch(*config);
  if (!started) return report_error(started.error());
  const std::unique_ptr<ReplayWatch>& watch = *started;
  const ReplayRequest request{.command = command,
                              .config = *config,
                              .plan = *plan,
                              .range = *range,
                              .speed = speed->factor,
                              .sorting = *sorting,
                              .ends = *ends,
                              .stop = stop,
                              .watch = watch.get()};
  const std::vector<std::string> formats = inputs->formats, lacking = inputs->lacking;
  auto report = replay_to_outputs(request, std::move(*inputs), *outputs, answer ? &*answer : nullptr);
  if (!report) return report_error(report.error());
  report->tzdata = tzdata_for(*config);
  const std::vector<std::string> exceeded = exceeded_limits(*report, config->spec.limits, formats);
  if (report->complete) {
    if (exceeded.empty()) report->warnings = doubts(*report);
    if (auto sentence = gap_sentence(*report)) report->warnings.push_back(std::move(*sentence));
    report->warnings.insert(report->warnings.begin(), lacking.begin(), lacking.end());
  }
  if (const auto done = finish_outputs(*outputs, *report); !done) return report_error(done.error());
  for (const InvalidRecord& record : report->invalid_records) warn(Notice::record_invalid, sentence_of(record));
  if (const auto sentence = lanes_sentence(config->spec.lanes, *report)) say(Notice::run_ended, *sentence);
  say(Notice::run_ended, run_summary(*report));
  if (const auto sentence = ignored_sentence(*report)) say(Notice::run_ended, *sentence);
  if (!report->complete) return ExitCode::interrupted;
  if (watch) {
    watch->ended(*report);
    say(Notice::page_ready, "still serving the dashboard: " + watch->url() + "; Ctrl-C ends it");
    watch->serve(stop);
  }
  for (const std::string& sentence : exceeded) complain(Notice::beyond_limits, sentence);
  for (const std::string& sentence : report->warnings) warn(Notice::input_doubtful, sentence);
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

// Reads nothing.
ExitCode run_pin(const ReplayCommand& command, const std::atomic<bool>& stop) {
  const bool is_alone = !is_asked_for(command.part) && command.ends.empty() && command.output.empty() &&
                        command.report.empty() && command.lists.empty() && command.curves.empty() &&
                        command.experiments.empty() && command.format.empty() && command.from.empty() && command.to.empty();
  if (!is_alone) {
    return report_error({Errc::config_invalid,
                         "--pin writes where topics end, and evaluates nothing; give it --config alone, before --ends"});
  }
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto inputs = replay_inputs(*config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return report_error(inputs.error());
  if (const auto distinct = check_outputs(command, *config, inputs->paths); !distinct) return report_error(distinct.error());
  const auto pinned = write_ends(*inputs, command.pin);
  if (!pinned) return report_error(pinned.error());
  say(Notice::run_ended, command.pin + ": where " + std::to_string(*pinned) + " partitions end");
  return ExitCode::ok;
}

Command define_replay(CLI::App& parser) {
  const auto command = std::make_shared<ReplayCommand>();
  CLI::App* sub = parser.add_subcommand("replay", "Evaluate event logs and write one row per window, horizon and segment");
  const AddOption add{sub};
  add("INPUT", command->inputs, "",
      "Logs: JSON lines, JSON, CSV, TSV, Avro; plain, gzip, zstd; - is standard input; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML), see recmeter init; without it the defaults");
  add("-o,--output", command->output, "FILE", "Where rows go; standard output by default");
  add("-r,--report", command->report, "FILE",
      "Where the run report goes (JSON); - is standard output, with --output to a file");
  add("-l,--lists", command->lists, "FILE",
      "Where every scored list goes with its values (JSONL), for tests of significance");
  add("--curves", command->curves, "FILE",
      "Where ROC and precision-recall curves go (JSONL): a point per row and k, 0 to the largest");
  add("--experiments", command->experiments, "FILE",
      "Where the configured experiments go (JSONL): a row for each look, with what it says and the verdict");
  add("-f,--format", command->format, "FORMAT", "jsonl, csv or table; by default a table on a terminal, else jsonl")
      ->check(one_of_words({"jsonl", "csv", "table"}));
  add("-j,--threads", command->threads, "N", "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->check(whole_number_up_to(threads_max));
  add("--from", command->from, "TIME",
      "Only windows that start at or after: 2026-11-20T00:00:00Z, or -3d for three days ago");
  add("--to", command->to, "TIME", "Only windows that end at or before: 2026-11-21T00:00:00Z, or now");
  add("--listen", command->listen, "ADDRESS",
      "Show rows over HTTP as attach does, on host:port, while they are made and until Ctrl-C");
  add("--speed", command->speed, "SPEED", "How fast event time goes: max, or 1x (as it happened), 60x, 0.5x");
  add_sorting(add, command->sort);
  add("--pin", command->pin, "FILE", "Evaluate nothing, but write where the configured topics end, for --ends of all parts");
  add("--ends", command->ends, "FILE", "Read topics as far as --pin has written");
  add_part(add, command->part);
  sub->add_flag("--stamped", command->part.is_stamped,
                "The inputs are lines of recmeter stamp, of all of the log or of the part");
  sub->add_flag("--all", command->all, "A table has all windows, segments and metrics, not those that fit one screen");
  add("--progress", command->progress, "FORM", "plain, json or none: how far it is, on standard error after 2 s")
      ->check(one_of_words({"plain", "json", "none"}));
  sub->footer(
      "Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 done, but beyond limits.invalid_share or\n"
      "limits.lost_share; 130 interrupted; final rows were written.");
  return {sub, [command](const std::atomic<bool>& stop) {
            if (!command->pin.empty()) return run_pin(*command, stop);
            return is_asked_for(command->part) ? run_part(*command, stop) : run_replay(*command, stop);
          }};
}

const CommandRegistration replay_registration(CommandPlace::replay, define_replay);

}  // namespace

}  // namespace recmeter
