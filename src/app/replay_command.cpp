#include "app/replay_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/configuration.h"
#include "app/messages.h"
#include "app/option_values.h"
#include "app/output_paths.h"
#include "app/progress_meter.h"
#include "app/replay_inputs.h"
#include "app/row_writer.h"
#include "app/run_verdict.h"
#include "app/standard_output.h"
#include "app/thread_pool.h"
#include "app/told.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr unsigned threads_max = 1024;  // as in the configuration

bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-";
}

bool is_dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

// https://no-color.org: set and not empty.
bool colors_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && !is_dumb_terminal();
}

RowFormat row_format(const ReplayCommand& command) {
  if (command.format == "csv") return RowFormat::csv;
  if (command.format == "jsonl") return RowFormat::jsonl;
  const bool terminal = is_standard_output(command.output) && isatty(STDOUT_FILENO) == 1;
  return command.format == "table" || terminal ? RowFormat::table : RowFormat::jsonl;
}

ProgressForm progress_form(const std::string& name) {
  if (name == "plain") return ProgressForm::plain;
  if (name == "json") return ProgressForm::json;
  if (name == "none") return ProgressForm::none;
  if (message_form() == MessageForm::json) return ProgressForm::json;
  return isatty(STDERR_FILENO) == 1 && !is_dumb_terminal() ? ProgressForm::line : ProgressForm::plain;
}

Result<EventTime> time_from(const std::string& option, const std::string& text) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  auto time = parse_time_or_ago(text, EventTime{now.count()});
  if (!time) return failure(Errc::config_invalid, option + ": " + time.error().context);
  return *time;
}

Result<Merger::Range> range_from(const ReplayCommand& command) {
  Merger::Range range;
  if (!command.from.empty()) {
    const auto from = time_from("--from", command.from);
    if (!from) return tl::unexpected(from.error());
    range.from = *from;
  }
  if (!command.to.empty()) {
    const auto to = time_from("--to", command.to);
    if (!to) return tl::unexpected(to.error());
    range.to = *to;
  }
  if (range.to <= range.from) return failure(Errc::config_invalid, "--to must lie after --from");
  return range;
}

// When all windows of the range are final.
EventTime enough_for(const Merger::Range& range, const JoinRule& join) {
  return range.to == plus_infinity ? plus_infinity : range.to + join.longest_horizon() + join.skew;
}

// Outputs that are given their names together, when all is written.
struct Outputs {
  std::unique_ptr<RowWriter> rows;
  std::unique_ptr<file::AtomicFile> report;
  std::unique_ptr<file::AtomicFile> lists;
  std::unique_ptr<file::AtomicFile> curves;
};

// Rows where rows go, and their curves where those are wanted.
class RowsAndCurves : public RowSink {
 public:
  explicit RowsAndCurves(Outputs& outputs) : outputs_(outputs) {}

  Result<void> write(const Row& row) override {
    if (outputs_.curves) {
      if (auto written = outputs_.curves->write(render_curve(row)); !written) return written;
    }
    return outputs_.rows->write(row);
  }

 private:
  Outputs& outputs_;
};

Result<void> check_outputs(const ReplayCommand& command, const ReplayInputs& inputs) {
  std::vector<NamedPath> outputs{{is_standard_output(command.output) ? "-" : command.output, "--output"}};
  if (!command.report.empty()) outputs.push_back({command.report, "--report"});
  if (!command.lists.empty()) outputs.push_back({command.lists, "--lists"});
  if (!command.curves.empty()) outputs.push_back({command.curves, "--curves"});
  std::vector<NamedPath> read;
  for (const std::string& path : inputs.paths) read.push_back({path, "an input"});
  if (!command.config.empty()) read.push_back({command.config, "the configuration"});
  return check_outputs_distinct(outputs, read);
}

Result<Outputs> create_outputs(const ReplayCommand& command) {
  const bool to_file = !is_standard_output(command.output);
  const bool color = !to_file && isatty(STDOUT_FILENO) == 1 && colors_wanted();
  auto rows = RowWriter::create(command.output, row_format(command), table_width(to_file), color);
  if (!rows) return tl::unexpected(std::move(rows).error());
  Outputs outputs{.rows = std::move(*rows), .report = nullptr, .lists = nullptr, .curves = nullptr};
  for (auto [path, file] : {std::pair(&command.report, &outputs.report), std::pair(&command.lists, &outputs.lists),
                            std::pair(&command.curves, &outputs.curves)}) {
    if (path->empty()) continue;
    auto created = file::AtomicFile::create(*path == "-" ? "/dev/stdout" : *path);
    if (!created) return tl::unexpected(std::move(created).error());
    *file = std::move(*created);
  }
  return outputs;
}

// All are written out before the first gets its name: a full disk leaves either every output or none.
Result<void> finish_outputs(Outputs& outputs, const Report& report) {
  if (outputs.report) {
    if (auto written = outputs.report->write(render_json(report)); !written) return written;
    if (auto settled = outputs.report->settle(); !settled) return settled;
  }
  for (const auto* file : {&outputs.lists, &outputs.curves}) {
    if (!*file) continue;
    if (auto settled = (*file)->settle(); !settled) return settled;
  }
  if (auto done = outputs.rows->finish(); !done) return done;
  for (const auto* file : {&outputs.lists, &outputs.curves}) {
    if (!*file) continue;
    if (auto done = (*file)->commit(); !done) return done;
  }
  return outputs.report ? outputs.report->commit() : Result<void>{};
}

Result<Report> replay_into(const EvaluatorPlan& plan, ReplayInputs inputs, ReplayOptions options, std::size_t threads,
                           Outputs& outputs, ProgressForm form) {
  ThreadPool pool(threads);
  ProgressMeter meter(form);
  options.shards = threads;
  options.decoders = std::move(inputs.decoders);
  options.progress = [&](const ReplayProgress& progress) { meter.show(progress); };
  if (outputs.lists) {
    options.scored_lists = [&](const ScoredLine& line) { return outputs.lists->write(line.json + "\n"); };
  }
  const auto begin = ProgressMeter::Clock::now();
  RowsAndCurves sink(outputs);
  Replay replay(plan, std::move(inputs.partitions), std::move(options), pool, sink);
  auto report = replay.run();
  if (!report) return report;
  report->wall_seconds = std::chrono::duration<double>(ProgressMeter::Clock::now() - begin).count();
  report->events_per_second = report->wall_seconds > 0 ? static_cast<double>(report->events.read) / report->wall_seconds : 0;
  return report;
}

std::size_t threads_for(const ReplayCommand& command, const Config& config) {
  constexpr unsigned shards_max = 256;  // one a slot
  unsigned threads = command.threads.value_or(config.threads);
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  return std::min(threads, shards_max);
}

}  // namespace

CLI::App* add_replay_command(CLI::App& app, ReplayCommand& command) {
  CLI::App* sub = app.add_subcommand("replay", "Evaluate event logs and write one row per window, horizon and segment");
  const auto add = [sub](const char* names, auto& target, const char* type, const char* help) {
    return sub->add_option(names, target, help)->type_name(type);
  };
  add("INPUT", command.inputs, "", "Logs of JSON lines, plain, gzip or zstd; - is standard input; none: those configured");
  add("-c,--config", command.config, "FILE", "Configuration (YAML), see recmeter init; without it the defaults");
  add("-o,--output", command.output, "FILE", "Where rows go; standard output by default");
  add("-r,--report", command.report, "FILE",
      "Where the run report goes (JSON); - is standard output, with --output to a file");
  add("-l,--lists", command.lists, "FILE", "Where every scored list goes with its values (JSONL), for tests of significance");
  add("--curves", command.curves, "FILE",
      "Where ROC and precision-recall curves go (JSONL): a point per row and k, 0 to the largest");
  add("-f,--format", command.format, "FORMAT", "jsonl, csv or table; by default a table on a terminal, else jsonl")
      ->check(one_of_words({"jsonl", "csv", "table"}));
  add("-j,--threads", command.threads, "N", "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->check(whole_number_up_to(threads_max));
  add("--from", command.from, "TIME", "Only windows that start at or after: 2026-11-20T00:00:00Z, or -3d for three days ago");
  add("--to", command.to, "TIME", "Only windows that end at or before: 2026-11-21T00:00:00Z, or now");
  add("--progress", command.progress, "FORM", "plain, json or none: how far it is, on standard error after 2 s")
      ->check(one_of_words({"plain", "json", "none"}));
  sub->footer(
      "Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 done, but beyond limits.invalid_share or\n"
      "limits.lost_share; 130 interrupted, with what was final written.");
  return sub;
}

ExitCode run_replay(const ReplayCommand& command, const std::atomic<bool>& stop) {
  std::optional<Config> config = configuration_from(command.config);
  if (!config) return ExitCode::usage;
  config->spec.metrics.curves = !command.curves.empty();
  if (config->spec.metrics.curves && config->spec.join.key.by == JoinKey::By::list) {
    return told(
        {Errc::config_invalid, "--curves counts what users missed, which join.key: list does not know; remove either"});
  }
  const auto range = range_from(command);
  if (!range) return told(range.error());
  auto inputs = replay_inputs(*config, command.inputs, range->from, stop);
  if (!inputs) return told(inputs.error());
  if (const auto distinct = check_outputs(command, *inputs); !distinct) return told(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, !command.lists.empty());
  if (!plan) return told(plan.error());
  auto outputs = create_outputs(command);
  if (!outputs) return told(outputs.error());
  ReplayOptions options{.decoders = {},
                        .range = *range,
                        .until = enough_for(*range, config->spec.join),
                        .stop = &stop,
                        .progress = {},
                        .scored_lists = {}};
  const auto report = replay_into(*plan, std::move(*inputs), std::move(options), threads_for(command, *config), *outputs,
                                  progress_form(command.progress));
  if (!report) return told(report.error());
  if (const auto done = finish_outputs(*outputs, *report); !done) return told(done.error());
  say(run_summary(*report));
  if (!report->complete) return ExitCode::interrupted;
  const std::vector<std::string> exceeded = exceeded_limits(*report, config->spec.limits);
  for (const std::string& sentence : exceeded) complain(sentence);
  if (exceeded.empty()) {
    for (const std::string& sentence : doubts(*report)) warn(sentence);
  }
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

}  // namespace recmeter
