// The command `recmeter merge`: the partials of a log's parts become the rows and the report of one run. [S11].
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/experiment_rows.h"
#include "app/commands/first_screen.h"
#include "app/commands/option_values.h"
#include "app/commands/row_output.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/version.h"
#include "app/run/output_paths.h"
#include "app/run/run_verdict.h"
#include "app/run/thread_pool.h"
#include "app/run/tzdata.h"
#include "config/file_text.h"
#include "config/load_config.h"
#include "recmeter/evaluation/merge_partials.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

struct MergeCommand {
  std::string output;  // "": standard output
  std::string report;
  std::string experiments;
  std::string format;
  std::string partials;  // "": rows
  std::optional<unsigned> threads;
  bool all = false;
  std::vector<std::string> inputs;
};

using Clock = std::chrono::steady_clock;

Result<void> check_outputs(const MergeCommand& command, const Config& config) {
  if (!command.partials.empty() &&
      !(command.output.empty() && command.report.empty() && command.experiments.empty() && command.format.empty())) {
    return failure(Errc::config_invalid,
                   "--partials makes no rows; remove --output, --report, --experiments and --format, or --partials");
  }
  std::vector<NamedPath> outputs{{is_standard_output(command.output) ? "-" : command.output, "--output"}};
  if (!command.report.empty()) outputs.push_back({command.report, "--report"});
  if (!command.experiments.empty()) outputs.push_back({command.experiments, "--experiments"});
  if (!command.partials.empty()) outputs.push_back({command.partials, "--partials"});
  std::vector<NamedPath> read = paths_read(config, "", {});
  for (const std::string& path : command.inputs) read.push_back({path, "a partial"});
  return check_outputs_distinct(outputs, read);
}

// `texts` hold the bytes that the readers look at.
Result<std::vector<PartialReader>> open_partials(const std::vector<std::string>& paths, std::vector<std::string>& texts) {
  std::vector<PartialReader> partials;
  texts.reserve(paths.size());
  for (const std::string& path : paths) {
    auto text = config::read_file(path, std::numeric_limits<std::size_t>::max());
    if (!text) return failure(text.error().code, path + ": " + text.error().context + "; give files of replay --part");
    auto reader = PartialReader::open(path, texts.emplace_back(std::move(*text)));
    if (!reader) return tl::unexpected(std::move(reader).error());
    partials.push_back(std::move(*reader));
  }
  return partials;
}

// The configuration that the parts were evaluated by, with a catalogue that may stand beside it still.
Result<Config> configuration_of(const PartialHeader& header) {
  auto config = load_config(header.configuration, "the partials' configuration", process_context());
  if (!config) return failure(Errc::config_invalid, to_text(config.error().front()));
  if (config->spec.config_hash == header.config_hash) return std::move(*config);
  return failure(Errc::config_invalid,
                 "the partials' configuration means something else here; merge with the same recmeter and the same catalogue "
                 "as the parts");
}

Result<void> write_partials(const std::string& path, const PartialHeader& header, const EvaluatorPlan& plan,
                            std::vector<PartialReader> partials, const std::atomic<bool>& stop) {
  auto file = file::AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  PartialWriter writer(plan, [&](std::string_view bytes) { return (*file)->write(bytes); });
  if (auto begun = writer.begin(header); !begun) return begun;
  if (auto merged = merge_to_partials(plan, std::move(partials), writer, stop); !merged) return merged;
  return (*file)->commit();
}

// null where it is not asked for.
Result<std::unique_ptr<file::AtomicFile>> asked_file(const std::string& path) {
  if (path.empty()) return nullptr;
  return file::AtomicFile::create(path == "-" ? "/dev/stdout" : path);
}

// All get their names together.
Result<Report> write_rows(const MergeCommand& command, const Config& config, const EvaluatorPlan& plan,
                          std::vector<PartialReader> partials, const std::atomic<bool>& stop) {
  const auto begin = Clock::now();
  tell_form(command.output, command.format);
  auto rows = open_rows(command.output, command.format, command.all);
  if (!rows) return tl::unexpected(std::move(rows).error());
  if (!command.all) begin_first_table(plan, ListLengths::length_max, command.output, **rows);
  auto to = asked_file(command.report);
  if (!to) return tl::unexpected(std::move(to).error());
  auto looks = asked_file(command.experiments);
  if (!looks) return tl::unexpected(std::move(looks).error());
  if (auto held = (*rows)->hold_back(); !held) return tl::unexpected(std::move(held).error());
  ExperimentRows experiments(plan, **rows, looks->get());
  ThreadPool pool(thread_count(command.threads.value_or(0)));
  auto report = merge_to_rows(plan, std::move(partials), pool, **rows, stop,
                              [&](const ExperimentLook& look) { return experiments.write(look); });
  if (!report) return report;
  experiments.end_table();
  if (report->gap_at_end && report->gap_at_end->rows > 0)
    (*rows)->say_of_lists("", held_rows_text(*report->gap_at_end, "Rows"));
  report->wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report->events_per_second = report->wall_seconds > 0 ? static_cast<double>(report->events.read) / report->wall_seconds : 0;
  report->tzdata = tzdata_for(config);
  if (exceeded_limits(*report, config.spec.limits).empty()) report->warnings = doubts(*report);
  if (auto sentence = gap_sentence(*report)) report->warnings.push_back(std::move(*sentence));
  Result<void> done;
  if (*to) done = (*to)->write(render_json(*report));
  for (const auto* file : {&*to, &*looks}) {
    if (done && *file) done = (*file)->settle();
  }
  if (done) done = (*rows)->finish();
  for (const auto* file : {&*to, &*looks}) {
    if (done && *file) done = (*file)->commit();
  }
  if (!done) return tl::unexpected(std::move(done).error());
  return report;
}

ExitCode run_merge(const MergeCommand& command, const std::atomic<bool>& stop) {
  std::vector<std::string> texts;
  auto partials = open_partials(command.inputs, texts);
  if (!partials) return report_error(partials.error());
  const auto header = header_of_all(*partials);
  if (!header) return report_error(header.error());
  if (header->version != build_facts().version) {
    return report_error({Errc::state_unusable, "the partials are of recmeter " + header->version + ", and this is " +
                                                   std::string(build_facts().version) + "; merge with that version"});
  }
  const auto config = configuration_of(*header);
  if (!config) return report_error(config.error());
  if (const auto distinct = check_outputs(command, *config); !distinct) return report_error(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, Duration{0}, false, true);
  if (!plan) return report_error(plan.error());
  if (!command.partials.empty()) {
    const auto written = write_partials(command.partials, *header, *plan, std::move(*partials), stop);
    return written ? ExitCode::ok : report_error(written.error());
  }
  if (const auto complete = check_complete(*header); !complete) return report_error(complete.error());
  if (!command.experiments.empty() && config->spec.experiments.empty()) {
    return report_error({Errc::config_invalid, "--experiments: none was configured for these parts; remove the option"});
  }
  const auto report = write_rows(command, *config, *plan, std::move(*partials), stop);
  if (!report) return report_error(report.error());
  for (const InvalidRecord& record : report->invalid_records) warn(Notice::record_invalid, sentence_of(record));
  say(Notice::run_ended, run_summary(*report));
  if (const auto sentence = ignored_sentence(*report)) say(Notice::run_ended, *sentence);
  const std::vector<std::string> exceeded = exceeded_limits(*report, config->spec.limits);
  for (const std::string& sentence : exceeded) complain(Notice::beyond_limits, sentence);
  for (const std::string& sentence : report->warnings) warn(Notice::input_doubtful, sentence);
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

Command define_merge(CLI::App& parser) {
  const auto command = std::make_shared<MergeCommand>();
  CLI::App* sub =
      parser.add_subcommand("merge", "Merge the partials of a log's parts into the rows and the report of one run");
  const AddOption add{sub};
  add("PARTIALS", command->inputs, "", "Files that replay --part or merge --partials wrote; in any order")->required();
  add("-o,--output", command->output, "FILE", "Where rows go; standard output by default");
  add("-r,--report", command->report, "FILE", "Where the run report goes (JSON)");
  add("--experiments", command->experiments, "FILE", "Where the configured experiments go (JSONL), as replay --experiments");
  add("-f,--format", command->format, "FORMAT", "jsonl, csv or table; by default a table on a terminal, else jsonl")
      ->check(one_of_words({"jsonl", "csv", "table"}));
  add("--partials", command->partials, "FILE", "Make no rows yet, but one file of the sums of all these parts");
  add("-j,--threads", command->threads, "N", "Threads, 1 to 1024; 0: one a core, as by default")
      ->check(whole_number_up_to(threads_max));
  sub->add_flag("--all", command->all, "A table has all windows, segments and metrics, not those that fit one screen");
  sub->footer(
      "Exit codes: 0 done; 1 failed; 2 usage, or partials that do not belong together or are not all there; 3 done, but\n"
      "beyond limits.invalid_share or limits.lost_share; 4 a partial is damaged or not complete;\n"
      "130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_merge(*command, stop); }};
}

const CommandRegistration merge_registration(CommandPlace::merge, define_merge);

}  // namespace

}  // namespace recmeter
