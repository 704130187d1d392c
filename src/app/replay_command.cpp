#include "app/replay_command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/config/scalar.h"
#include "app/configuration.h"
#include "app/messages.h"
#include "app/progress_meter.h"
#include "app/replay_inputs.h"
#include "app/row_writer.h"
#include "app/run_verdict.h"
#include "app/thread_pool.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

ExitCode told(const Error& error) {
  complain(error.context);
  return error.code == Errc::config_invalid ? ExitCode::usage : ExitCode::failed;
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

RowFormat row_format(const ReplayCommand& command) {
  if (command.format == "csv") return RowFormat::csv;
  if (command.format == "jsonl") return RowFormat::jsonl;
  const bool terminal = command.output.empty() && isatty(STDOUT_FILENO) == 1;
  return command.format == "table" || terminal ? RowFormat::table : RowFormat::jsonl;
}

ProgressForm progress_form(const std::string& name) {
  if (name == "plain") return ProgressForm::plain;
  if (name == "json") return ProgressForm::json;
  if (name == "none") return ProgressForm::none;
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) == 1 && !dumb ? ProgressForm::line : ProgressForm::plain;
}

// RFC 3339 with an offset, `now`, or so long ago (-3d).
Result<EventTime> time_from(const std::string& option, const std::string& text) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  if (text == "now") return EventTime{now.count()};
  if (text.starts_with('-')) {
    if (const auto ago = config::parse_duration(std::string_view(text).substr(1))) return EventTime{now.count()} - *ago;
  } else if (const auto time = config::parse_time(text)) {
    return *time;
  }
  return failure(Errc::config_invalid, option + ": " + text + " is no time; write 2026-11-20T00:00:00Z, -3d or now");
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

// Outputs that are given their names together, when all is written.
struct Outputs {
  std::unique_ptr<RowWriter> rows;
  std::unique_ptr<file::AtomicFile> report;
  std::unique_ptr<file::AtomicFile> lists;
};

// An output that is an input, or another output, would be lost.
Result<void> check_paths(const ReplayCommand& command, const std::vector<ReplayInput>& inputs) {
  std::vector<std::pair<std::string, std::string>> taken;
  for (const ReplayInput& input : inputs) taken.emplace_back(std::string(input.source->name()), "an input");
  for (const auto& [option, path] : {std::pair("--output", &command.output), std::pair("--report", &command.report),
                                     std::pair("--lists", &command.lists)}) {
    if (path->empty() || *path == "-" || path->starts_with("/dev/")) continue;
    for (const auto& [other, role] : taken) {
      std::error_code none;
      if (other != *path && !std::filesystem::equivalent(other, *path, none)) continue;
      return failure(Errc::config_invalid,
                     std::string(option) + ": " + *path + " is " + role + " as well; choose another name");
    }
    taken.emplace_back(*path, std::string("what ") + option + " writes");
  }
  return {};
}

Result<Outputs> create_outputs(const ReplayCommand& command) {
  const bool color = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr && command.output.empty();
  auto rows = RowWriter::create(command.output, row_format(command), terminal_width(), color);
  if (!rows) return tl::unexpected(std::move(rows).error());
  Outputs outputs{.rows = std::move(*rows), .report = nullptr, .lists = nullptr};
  for (auto [path, file] : {std::pair(&command.report, &outputs.report), std::pair(&command.lists, &outputs.lists)}) {
    if (path->empty()) continue;
    auto created = file::AtomicFile::create(*path);
    if (!created) return tl::unexpected(std::move(created).error());
    *file = std::move(*created);
  }
  return outputs;
}

Result<void> finish_outputs(Outputs& outputs, const Report& report) {
  if (outputs.lists) {
    if (auto done = outputs.lists->commit(); !done) return done;
  }
  if (auto done = outputs.rows->finish(); !done) return done;
  if (!outputs.report) return {};
  if (auto done = outputs.report->write(render_json(report)); !done) return done;
  return outputs.report->commit();
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
  Replay replay(plan, std::move(inputs.partitions), std::move(options), pool, *outputs.rows);
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
  sub->add_option("INPUT", command.inputs,
                  "logs: JSON lines, plain, gzip or zstd; - is standard input; none: those configured");
  sub->add_option("-c,--config", command.config, "configuration (YAML); without it the defaults");
  sub->add_option("-o,--output", command.output, "where rows go; standard output by default");
  sub->add_option("--report", command.report, "where the run report goes (JSON)");
  sub->add_option("--lists", command.lists,
                  "where every scored list goes with its values (JSONL), for tests of significance");
  sub->add_option("--format", command.format, "jsonl, csv or table; a table on a terminal, else jsonl")
      ->check(CLI::IsMember({"jsonl", "csv", "table"}));
  sub->add_option("--threads", command.threads, "threads; 0 or none: one a core")->check(CLI::Range(0U, 1024U));
  sub->add_option("--from", command.from, "only windows that start at or after: 2026-11-20T00:00:00Z, -3d");
  sub->add_option("--to", command.to, "only windows that end at or before: 2026-11-21T00:00:00Z, now");
  sub->add_option("--progress", command.progress, "plain, json or none, on standard error after 2 s")
      ->check(CLI::IsMember({"plain", "json", "none"}));
  return sub;
}

ExitCode run_replay(const ReplayCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config);
  if (!config) return ExitCode::usage;
  const auto range = range_from(command);
  if (!range) return told(range.error());
  auto inputs = replay_inputs(*config, command.inputs, stop);
  if (!inputs) return told(inputs.error());
  if (const auto distinct = check_paths(command, inputs->partitions); !distinct) return told(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, !command.lists.empty());
  if (!plan) return told(plan.error());
  auto outputs = create_outputs(command);
  if (!outputs) return told(outputs.error());
  ReplayOptions options{.decoders = {}, .range = *range, .stop = &stop, .progress = {}, .scored_lists = {}};
  const auto report = replay_into(*plan, std::move(*inputs), std::move(options), threads_for(command, *config), *outputs,
                                  progress_form(command.progress));
  if (!report) return told(report.error());
  if (const auto done = finish_outputs(*outputs, *report); !done) return told(done.error());
  say(run_summary(*report));
  if (!report->complete) return ExitCode::interrupted;
  const std::vector<std::string> exceeded = exceeded_limits(*report, config->spec.limits);
  for (const std::string& sentence : exceeded) complain(sentence);
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

}  // namespace recmeter
