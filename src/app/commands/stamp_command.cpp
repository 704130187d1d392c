// The command `recmeter stamp`: logs in, the events that take part in the join out, for the parts of an engine that
// groups lines by their first column. [S11.7].
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/option_values.h"
#include "app/commands/part_options.h"
#include "app/commands/sort_options.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/run/configuration.h"
#include "app/run/ordered_replay.h"
#include "app/run/output_paths.h"
#include "app/run/pinned_ends.h"
#include "app/run/progress_meter.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "app/run/topic_share.h"
#include "recmeter/evaluation/stamp_writer.h"
#include "recmeter/file/atomic_file.h"

namespace recmeter {

namespace {

struct StampCommand {
  std::string config;
  std::string output;  // "": standard output
  std::optional<unsigned> threads;
  std::string ends;
  std::string partitions;  // "I/N": every N-th partition, from the I-th; "": all
  SortOptions sort;
  std::vector<std::string> inputs;
};

// What is asked for of the log.
struct Share {
  PinnedEnds ends;
  Part partitions;  // by their places in the order in which they are configured
};

Result<Share> share_from(const StampCommand& command) {
  auto ends = read_ends(command.ends);
  if (!ends) return tl::unexpected(std::move(ends).error());
  Share share{.ends = std::move(*ends), .partitions = {}};
  if (command.partitions.empty()) return share;
  const auto part = part_of("--partitions", command.partitions);
  if (!part) return tl::unexpected(part.error());
  share.partitions = *part;
  return share;
}

// Some partitions of a log, in the order of (place, name).
struct Stamped {
  ReplayInputs inputs;
  StampedShare share;
};

// Which place a partition has is known where all were opened.
Result<Stamped> open_stamped(const Config& config, const StampCommand& command, const Share& share,
                             const std::atomic<bool>& stop) {
  auto all = replay_inputs(config, command.inputs, minus_infinity, edges().inputs, stop, share.ends);
  if (!all) return tl::unexpected(std::move(all).error());
  std::vector<std::size_t> order;
  for (std::size_t p = share.partitions.index; p < all->partitions.size(); p += share.partitions.count) order.push_back(p);
  if (order.empty()) {
    return failure(Errc::config_invalid, "--partitions " + command.partitions + ": there are only " +
                                             std::to_string(all->partitions.size()) + "; give N that is not larger");
  }
  const bool have_places = !command.partitions.empty();
  const auto name_of = [&](std::size_t p) { return all->partitions[p].source->name(); };
  if (!have_places) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return name_of(a) < name_of(b); });
  }
  Stamped stamped{.inputs = {}, .share = {.partitions = {}, .of = have_places ? all->partitions.size() : 0}};
  std::vector<PartitionInput> partitions;
  std::vector<std::optional<ReopenableLog>> logs;
  for (const std::size_t p : order) {
    stamped.share.partitions.push_back({.name = std::string(name_of(p)), .place = have_places ? p + 1 : 0});
    partitions.push_back(std::move(all->partitions[p]));
    logs.push_back(std::move(all->logs[p]));
  }
  stamped.inputs = std::move(*all);
  stamped.inputs.partitions = std::move(partitions);
  stamped.inputs.logs = std::move(logs);
  return stamped;
}

Result<void> check_outputs(const StampCommand& command, const Config& config, const ReplayInputs& inputs) {
  std::vector<NamedPath> read = paths_read(config, command.config, inputs.paths);
  if (!command.ends.empty()) read.push_back({command.ends, "what --ends reads"});
  return check_outputs_distinct({{is_standard_output(command.output) ? "-" : command.output, "--output"}}, read);
}

Result<Report> stamp(const StampCommand& command, const Config& config, const EvaluatorPlan& plan, const Sorting& sorting,
                     const Share& share, Stamped stamped, const std::atomic<bool>& stop) {
  PartialHeader header = partial_header(config, {}, {});
  if (!share.ends.empty()) header.ends = hash_of(share.ends);
  std::unique_ptr<file::AtomicFile> file;
  std::optional<StampWriter> writer;
  NoRows no_rows;
  OrderedReplay replay{.config = config,
                       .plan = plan,
                       .range = {},
                       .sorting = sorting,
                       .threads = thread_count(command.threads.value_or(config.threads)),
                       .stop = stop,
                       .open_again = [&]() -> Result<ReplayInputs> {
                         auto again = open_stamped(config, command, share, stop);
                         if (!again) return tl::unexpected(std::move(again).error());
                         return std::move(again->inputs);
                       },
                       .begin = {},
                       .meter = [] { return [](const ReplayProgress&) {}; }};
  replay.begin = [&](bool may_be_vain, ReplayOptions& options) -> Result<RowSink*> {
    auto created = file::AtomicFile::create(is_standard_output(command.output) ? "/dev/stdout" : command.output);
    if (!created) return tl::unexpected(std::move(created).error());
    file = std::move(*created);
    if (may_be_vain) {
      if (auto held = file->hold_back(); !held) return tl::unexpected(std::move(held).error());
    }
    writer.emplace(header, stamped.share, [&file](std::string_view lines) { return file->write(lines); });
    options.sealed = &*writer;
    options.accepted = [&writer](const auto& routed) { return writer->accept(routed); };
    return &no_rows;
  };
  auto report = replay_in_order(replay, std::move(stamped.inputs));
  if (!report || !report->complete) return report;
  if (auto done = file->commit(); !done) return tl::unexpected(std::move(done).error());
  return report;
}

ExitCode run_stamp(const StampCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto sorting = sorting_from(command.sort, command.output);
  if (!sorting) return report_error(sorting.error());
  const auto share = share_from(command);
  if (!share) return report_error(share.error());
  auto stamped = open_stamped(*config, command, *share, stop);
  if (!stamped) return report_error(stamped.error());
  if (const auto distinct = check_outputs(command, *config, stamped->inputs); !distinct)
    return report_error(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, stamped->inputs.lateness_max, false);
  if (!plan) return report_error(plan.error());
  if (const auto can = check_can_be_parted(*plan); !can) return report_error(can.error());
  const auto report = stamp(command, *config, *plan, *sorting, *share, std::move(*stamped), stop);
  if (!report) return report_error(report.error());
  if (!report->complete) return report_error({Errc::interrupted, "interrupted before the log was stamped"});
  say(Notice::run_ended, std::to_string(report->events.read) + " events read and stamped");
  return ExitCode::ok;
}

Command define_stamp(CLI::App& parser) {
  const auto command = std::make_shared<StampCommand>();
  CLI::App* sub = parser.add_subcommand("stamp", "Read logs once for all parts: lines of events, SLOT<tab>TIME<tab>BASE64");
  const AddOption add{sub};
  add("INPUT", command->inputs, "", "Logs as of replay, each whole: one is enough; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML), that of the parts");
  add("-o,--output", command->output, "FILE", "Where the lines go; standard output by default");
  add("-j,--threads", command->threads, "N", "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->check(whole_number_up_to(threads_max));
  add("--ends", command->ends, "FILE", "Read topics as far as replay --pin has written");
  add("--partitions", command->partitions, "I/N",
      "Of all files or topic partitions every N-th, from the I-th, from 0; all by default");
  add_sorting(add, command->sort);
  sub->footer(
      "Hand each line to the part whose number is SLOT modulo the number of parts, and the line of slot - to every part:\n"
      "recmeter replay --part I/N --stamped. Exit codes: 0 done; 1 failed; 2 usage or configuration; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_stamp(*command, stop); }};
}

const CommandRegistration stamp_registration(CommandPlace::stamp, define_stamp);

}  // namespace

}  // namespace recmeter
