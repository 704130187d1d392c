#include "app/replay_command.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "app/configuration.h"
#include "app/interruption.h"
#include "app/messages.h"
#include "app/option_values.h"
#include "app/output_paths.h"
#include "app/pace.h"
#include "app/progress_meter.h"
#include "app/replay_inputs.h"
#include "app/replay_watch.h"
#include "app/row_writer.h"
#include "app/run_verdict.h"
#include "app/standard_output.h"
#include "app/thread_pool.h"
#include "app/told.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::size_t paced_block_bytes = std::size_t{1} << 14;  // so that event time moves in small steps

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
  // `watch` may be null.
  RowsAndCurves(Outputs& outputs, ReplayWatch* watch) : outputs_(outputs), watch_(watch) {}

  Result<void> write(const Row& row) override {
    if (watch_ != nullptr) watch_->seen(row);
    if (outputs_.curves) {
      if (auto written = outputs_.curves->write(render_curve(row)); !written) return written;
    }
    return outputs_.rows->write(row);
  }

 private:
  Outputs& outputs_;
  ReplayWatch* watch_;
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
    (*created)->drop_unread();
    *file = std::move(*created);
  }
  // A replay that nobody reads goes on for what else it writes only.
  if (outputs.report || outputs.lists || outputs.curves) outputs.rows->drop_unread();
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

Result<Report> replay_into(const EvaluatorPlan& plan, ReplayInputs inputs, ReplayOptions options, std::size_t threads,
                           Outputs& outputs, ProgressForm form, ReplayWatch* watch) {
  ThreadPool pool(threads);
  ProgressMeter meter(form);
  if (watch != nullptr) options.status = [watch](const std::function<LiveStatus()>& make) { watch->stands(make); };
  options.shards = threads;
  options.decoders = std::move(inputs.decoders);
  options.progress = [&](const ReplayProgress& progress) { meter.show(progress); };
  if (outputs.lists) {
    options.scored_lists = [&](const ScoredLine& line) { return outputs.lists->write(line.json + "\n"); };
  }
  const auto begin = ProgressMeter::Clock::now();
  RowsAndCurves sink(outputs, watch);
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

ExitCode run_replay(const ReplayCommand& command, const std::atomic<bool>& stop) {
  std::optional<Config> config = configuration_from(command.config);
  if (!config) return ExitCode::usage;
  config->spec.metrics.curves = !command.curves.empty();
  if (config->spec.metrics.curves && config->spec.join.key.by == JoinKey::By::list) {
    return told(
        {Errc::config_invalid, "--curves counts what users missed, which join.key: list does not know; remove either"});
  }
  const auto speed = parse_speed(command.speed);
  if (!speed) return told({Errc::config_invalid, "--speed: " + command.speed + " is no speed; write max, 1x or 60x"});
  PublishSpec::Http& http = config->publish.http;
  http.is_on = http.is_written = !command.listen.empty();
  http.probes.clear();  // of the service that may run beside it
  if (http.is_on) {
    if (const auto listens = listen_at(command.listen, http); !listens) return told(listens.error());
  }
  config->spec.metrics.left_out = http.is_on;
  const auto range = range_from(command);
  if (!range) return told(range.error());
  auto inputs = replay_inputs(*config, command.inputs, range->from, stop);
  if (!inputs) return told(inputs.error());
  if (const auto distinct = check_outputs(command, *inputs); !distinct) return told(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, !command.lists.empty());
  if (!plan) return told(plan.error());
  auto outputs = create_outputs(command);
  if (!outputs) return told(outputs.error());
  std::unique_ptr<ReplayWatch> watch;
  if (http.is_on) {
    auto started = ReplayWatch::start(*config);
    if (!started) return told(started.error());
    watch = std::move(*started);
    say(Notice::page_ready, "to be watched at " + watch->url());
  }
  ReplayOptions options{.decoders = {},
                        .range = *range,
                        .until = enough_for(*range, config->spec.join),
                        .stop = &stop,
                        .abandon = out_of_patience(stop),
                        .progress = {},
                        .scored_lists = {}};
  if (speed->factor) {
    options.block_bytes = paced_block_bytes;
    options.pace = pace_of(*speed->factor, stop);
  }
  auto report = replay_into(*plan, std::move(*inputs), std::move(options), threads_for(command, *config), *outputs,
                            progress_form(command.progress), watch.get());
  if (!report) return told(report.error());
  const std::vector<std::string> exceeded = exceeded_limits(*report, config->spec.limits);
  if (report->complete) {
    if (exceeded.empty()) report->warnings = doubts(*report);
    if (auto sentence = gap_sentence(*report)) report->warnings.push_back(std::move(*sentence));
  }
  if (const auto done = finish_outputs(*outputs, *report); !done) return told(done.error());
  say(Notice::run_ended, run_summary(*report));
  if (!report->complete) return ExitCode::interrupted;
  if (watch) {
    say(Notice::page_ready, "still to be watched at " + watch->url() + "; Ctrl-C ends it");
    watch->serve(*report, stop);
  }
  for (const std::string& sentence : exceeded) complain(Notice::beyond_limits, sentence);
  for (const std::string& sentence : report->warnings) warn(Notice::input_doubtful, sentence);
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

}  // namespace recmeter
