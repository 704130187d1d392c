#include "app/commands/quiet_replay.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/edges.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/run/configuration.h"
#include "app/run/progress_meter.h"
#include "recmeter/evaluation/experiment_judge.h"

namespace recmeter {

Result<AskedLog> asked_log(const ReplayCommand& command, const Config& config, const std::atomic<bool>& stop) {
  auto sorting = sorting_from(command.sort, "");
  if (!sorting) return tl::unexpected(sorting.error());
  AskedLog log{.open = {}, .sorting = std::move(*sorting), .threads = threads_for(command, config), .stop = stop};
  log.open = [&command, &stop, is_told = false](const Config& of) mutable {
    auto inputs = replay_inputs(of, command.inputs, minus_infinity, edges().inputs, stop);
    if (!inputs || std::exchange(is_told, true)) return inputs;
    for (const std::string& sentence : inputs->lacking) warn(Notice::input_doubtful, sentence);
    return inputs;
  };
  log.meter = [form = progress_form(command.progress)] {
    const auto meter = std::make_shared<ProgressMeter>(form);
    return [meter](const ReplayProgress& progress) { meter->show(progress); };
  };
  return log;
}

ExitCode told(const Result<LogReading>& read) {
  if (!read) return report_error(read.error());
  if (!read->is_complete) return ExitCode::interrupted;
  for (const std::string& sentence : read->exceeded) complain(Notice::beyond_limits, sentence);
  return read->exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

ExitCode replay_looks(const ReplayCommand& command, const std::atomic<bool>& stop,
                      const std::function<void(ExperimentRow row)>& take) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  if (config->spec.experiments.empty()) {
    return report_error(
        {Errc::config_invalid, command.config +
                                   ": no experiment is configured; write it under `experiments`, or name the segment key "
                                   "that tells the variants apart: --by variant"});
  }
  std::vector<ExperimentJudge> judges;
  QuietReplay quiet{.follows_experiments = true, .begin = {}};
  quiet.begin = [&](const EvaluatorPlan& plan, ReplayOptions& options) -> RowSink* {
    judges.clear();
    for (const PlannedExperiment& experiment : plan.experiments) {
      judges.emplace_back(experiment, config->spec.name, config->spec.config_hash);
    }
    options.looks = [&](const ExperimentLook& look) {
      take(judges[look.place].judge(look));
      return Result<void>{};
    };
    return nullptr;
  };
  const auto log = asked_log(command, *config, stop);
  return log ? told(read_log(*config, *log, quiet)) : report_error(log.error());
}

}  // namespace recmeter
