#include "app/commands/replay_request.h"

#include <unistd.h>

#include <memory>

#include "app/commands/edges.h"
#include "app/commands/row_output.h"
#include "app/console/messages.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/run/output_paths.h"
#include "app/run/progress_meter.h"
#include "app/run/thread_pool.h"
#include "app/run/time_or_ago.h"

namespace recmeter {

ProgressForm progress_form(const std::string& name) {
  if (name == "plain") return ProgressForm::plain;
  if (name == "json") return ProgressForm::json;
  if (name == "none") return ProgressForm::none;
  if (message_form() == MessageForm::json) return ProgressForm::json;
  return isatty(STDERR_FILENO) == 1 && !is_dumb_terminal() ? ProgressForm::line : ProgressForm::plain;
}

namespace {

Result<EventTime> time_from(const std::string& option, const std::string& text) {
  auto time = parse_time_or_ago(text, wall_clock());
  if (!time) return failure(Errc::config_invalid, option + ": " + time.error().context);
  return *time;
}

}  // namespace

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

Result<void> check_outputs(const ReplayCommand& command, const Config& config, const std::vector<std::string>& inputs) {
  std::vector<NamedPath> outputs{{is_standard_output(command.output) ? "-" : command.output, "--output"}};
  if (!command.report.empty()) outputs.push_back({command.report, "--report"});
  if (!command.lists.empty()) outputs.push_back({command.lists, "--lists"});
  if (!command.curves.empty()) outputs.push_back({command.curves, "--curves"});
  if (!command.experiments.empty()) outputs.push_back({command.experiments, "--experiments"});
  if (!command.part.partials.empty()) outputs.push_back({command.part.partials, "--partials"});
  if (!command.pin.empty()) outputs.push_back({command.pin, "--pin"});
  std::vector<NamedPath> read = paths_read(config, command.config, inputs);
  if (!command.ends.empty()) read.push_back({command.ends, "what --ends reads"});
  return check_outputs_distinct(outputs, read);
}

std::size_t threads_for(const ReplayCommand& command, const Config& config) {
  return thread_count(command.threads.value_or(config.threads));
}

OrderedReplay ordered_replay(const ReplayRequest& request) {
  OrderedReplay replay{.config = request.config,
                       .plan = request.plan,
                       .range = request.range,
                       .sorting = request.sorting,
                       .threads = threads_for(request.command, request.config),
                       .stop = request.stop,
                       .open_again = {},
                       .begin = {},
                       .meter = {}};
  replay.open_again = [&request] {
    return replay_inputs(request.config, request.command.inputs, request.range.from, edges().inputs, request.stop,
                         request.ends);
  };
  replay.meter = [&request] {
    const auto meter = std::make_shared<ProgressMeter>(progress_form(request.command.progress));
    return [meter](const ReplayProgress& progress) { meter->show(progress); };
  };
  return replay;
}

}  // namespace recmeter
