#include "app/commands/part_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/commands/edges.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/run/configuration.h"
#include "app/run/stamped_lines.h"
#include "app/run/thread_pool.h"
#include "app/run/topic_share.h"
#include "recmeter/evaluation/partial_writer.h"
#include "recmeter/evaluation/stamped_replay.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

namespace {

// Of stamped lines, each of which holds events of a while: how far they are sorted at a time.
constexpr Duration stamped_lateness = Duration{64 * one_minute.ms};

Result<void> check_part(const ReplayCommand& command) {
  const std::string option = option_of(command.part);
  for (const auto& [is_given, other] :
       {std::pair(!command.output.empty(), "--output"), std::pair(!command.report.empty(), "--report"),
        std::pair(!command.format.empty(), "--format"), std::pair(!command.experiments.empty(), "--experiments"),
        std::pair(command.all, "--all")}) {
    if (!is_given) continue;
    return failure(Errc::config_invalid, option + " writes --partials alone; remove " + other +
                                             ", and give it to recmeter merge, which writes the results");
  }
  for (const auto& [is_given, other] :
       {std::pair(!command.lists.empty(), "--lists"), std::pair(!command.curves.empty(), "--curves"),
        std::pair(!command.listen.empty(), "--listen"), std::pair(command.speed != "max", "--speed")}) {
    if (!is_given) continue;
    return failure(Errc::config_invalid, std::string(other) + " is of a whole run, and " + option +
                                             " makes a part of one; remove " + other + ", or " + option + " and --partials");
  }
  for (const auto& [text, other] : {std::pair(command.from, "--from"), std::pair(command.to, "--to")}) {
    if (text != "now" && !text.starts_with('-')) continue;
    return failure(
        Errc::config_invalid,
        std::string(other) + ": " + text + " is another time for each part; write the time itself, as 2026-11-20T00:00:00Z");
  }
  return {};
}

// Parts that begin at different times would read different ends.
Result<void> check_share(const ReplayCommand& command) {
  if (command.part.is_stamped && !command.ends.empty()) {
    return failure(Errc::config_invalid, "--ends is of topics, which recmeter stamp has read; remove it beside --stamped");
  }
  if (command.part.partitions.empty()) return {};
  if (command.part.is_stamped) {
    return failure(Errc::config_invalid, "--partitions reads topics, and --stamped lines of all of them; remove one");
  }
  if (!command.inputs.empty()) return share_of_file(command.inputs.front());
  if (!command.ends.empty()) return {};
  return failure(Errc::config_invalid,
                 "--partitions: all parts have to read as far; write the ends once by recmeter replay --pin ends, and give "
                 "--ends ends");
}

// A partial that has its name once it is whole.
struct PartialFile {
  std::unique_ptr<file::AtomicFile> file;
  std::unique_ptr<PartialWriter> writer;
};

Result<PartialFile> begin_partial(const ReplayRequest& request, Part part) {
  PartialHeader header = partial_header(request.config, part, request.range);
  if (!request.command.part.partitions.empty()) header.ends = hash_of(request.ends);
  auto created = file::AtomicFile::create(request.command.part.partials);
  if (!created) return tl::unexpected(std::move(created).error());
  PartialFile to{.file = std::move(*created), .writer = {}};
  to.writer = std::make_unique<PartialWriter>(request.plan,
                                              [file = to.file.get()](std::string_view bytes) { return file->write(bytes); });
  auto begun = to.writer->begin(header);
  if (!begun) return tl::unexpected(std::move(begun).error());
  return to;
}

// Lines of recmeter stamp are no records. One that looks like them among others is only an invalid one.
Result<void> check_not_stamped(const Report& report) {
  const auto holds_records = [&](const std::string& name) {
    const auto partition = std::ranges::find(report.partitions, name, &PartitionReport::name);
    return partition != report.partitions.end() && partition->events.invalid < partition->events.read;
  };
  for (const InvalidRecord& record : report.invalid_records) {
    if (!StampedLog::is_stamped(record.sample.record) || holds_records(record.partition)) continue;
    return failure(Errc::config_invalid, record.partition + ": holds lines of recmeter stamp; give --stamped too");
  }
  return {};
}

// The number of lists.
Result<std::uint64_t> replay_to_partials(const ReplayRequest& request, ReplayInputs inputs, Part part) {
  std::optional<PartitionShare> share;
  if (!request.command.part.partitions.empty()) {
    auto kept = keep_share(inputs, part);
    if (!kept) return tl::unexpected(std::move(kept).error());
    share = std::move(*kept);
  }
  PartialFile to;
  NoRows no_rows;
  OrderedReplay replay = ordered_replay(request);
  replay.begin = [&](bool, ReplayOptions& options) -> Result<RowSink*> {
    auto begun = begin_partial(request, part);
    if (!begun) return tl::unexpected(std::move(begun).error());
    to = std::move(*begun);
    options.share = share;
    if (share) options.reads_on = true;  // who reads some partitions does not know how far the others are
    if (!share) options.part = part;
    options.sealed = to.writer.get();
    return &no_rows;
  };
  auto report = replay_in_order(replay, std::move(inputs));
  if (!report) return tl::unexpected(std::move(report).error());
  if (!report->complete) return failure(Errc::interrupted, "interrupted before the part was evaluated");
  if (auto checked = check_not_stamped(*report); !checked) return tl::unexpected(std::move(checked).error());
  if (auto done = to.file->commit(); !done) return tl::unexpected(std::move(done).error());
  return report->lists;
}

Result<std::uint64_t> stamped_to_partials(const ReplayRequest& request, Part part) {
  if (request.command.inputs.empty()) {
    return failure(Errc::config_invalid, "--stamped: nothing to read; name files of recmeter stamp, or - for standard input");
  }
  StampedLog log(partial_header(request.config, part, request.range));
  auto lines = read_stamped(request.command.inputs, log, request.sorting.space, request.stop);
  if (!lines) return tl::unexpected(std::move(lines).error());
  auto to = begin_partial(request, part);
  if (!to) return tl::unexpected(std::move(to).error());
  const std::size_t threads = threads_for(request.command, request.config);
  ThreadPool pool(threads);
  StampedReplay replay(request.plan, log, std::move(*lines),
                       {.shards = threads, .range = request.range, .stop = &request.stop}, pool, *to->writer);
  auto lists = replay.run();
  if (!lists) return tl::unexpected(std::move(lists).error());
  if (auto done = to->file->commit(); !done) return tl::unexpected(std::move(done).error());
  return *lists;
}

}  // namespace

ExitCode run_part(const ReplayCommand& command, const std::atomic<bool>& stop) {
  const auto part = part_from(command.part);
  if (!part) return report_error(part.error());
  if (const auto can = check_part(command); !can) return report_error(can.error());
  if (const auto can = check_share(command); !can) return report_error(can.error());
  std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto range = range_from(command);
  if (!range) return report_error(range.error());
  auto sorting = sorting_from(command.sort, command.part.partials);
  if (!sorting) return report_error(sorting.error());
  const auto ends = read_ends(command.ends);
  if (!ends) return report_error(ends.error());
  ReplayInputs inputs;
  if (command.part.is_stamped) {
    inputs.paths = command.inputs;
    inputs.lateness_max = stamped_lateness;
  } else {
    auto opened = replay_inputs(*config, command.inputs, range->from, edges().inputs, stop, *ends);
    if (!opened) return report_error(opened.error());
    inputs = std::move(*opened);
    for (const std::string& sentence : inputs.lacking) warn(Notice::input_doubtful, sentence);
  }
  if (const auto distinct = check_outputs(command, *config, inputs.paths); !distinct) return report_error(distinct.error());
  const auto plan = EvaluatorPlan::make(config->spec, inputs.lateness_max, false, true);
  if (!plan) return report_error(plan.error());
  if (const auto can = check_can_be_parted(*plan); !can) return report_error(can.error());
  const ReplayRequest request{.command = command,
                              .config = *config,
                              .plan = *plan,
                              .range = *range,
                              .speed = {},
                              .sorting = *sorting,
                              .ends = *ends,
                              .stop = stop};
  const auto lists =
      command.part.is_stamped ? stamped_to_partials(request, *part) : replay_to_partials(request, std::move(inputs), *part);
  if (!lists) return report_error(lists.error());
  say(Notice::run_ended, "part " + text_of(command.part) + ": " + std::to_string(*lists) + " lists");
  return ExitCode::ok;
}

}  // namespace recmeter
