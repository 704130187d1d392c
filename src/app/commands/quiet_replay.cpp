#include "app/commands/quiet_replay.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/edges.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/run/configuration.h"
#include "app/run/run_verdict.h"
#include "recmeter/evaluation/experiment_judge.h"

namespace recmeter {

ExitCode replay_quietly(const ReplayCommand& command, const Config& config, const std::atomic<bool>& stop,
                        const QuietReplay& quiet) {
  const auto sorting = sorting_from(command.sort, "");
  if (!sorting) return report_error(sorting.error());
  auto inputs = replay_inputs(config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return report_error(inputs.error());
  for (const std::string& sentence : inputs->lacking) warn(Notice::input_doubtful, sentence);
  auto plan = EvaluatorPlan::make(config.spec, inputs->lateness_max, quiet.wants_lists, quiet.follows_experiments);
  if (!plan) return report_error(plan.error());
  if (quiet.planned) quiet.planned(*plan);
  const PinnedEnds to_the_end;
  const ReplayRequest request{.command = command,
                              .config = config,
                              .plan = *plan,
                              .range = {},
                              .speed = std::nullopt,
                              .sorting = *sorting,
                              .ends = to_the_end,
                              .stop = stop};
  NoRows rows;
  OrderedReplay replay = ordered_replay(request);
  replay.begin = [&](bool /*may_be_vain*/, ReplayOptions& options) -> Result<RowSink*> {
    RowSink* wanted = quiet.begin(*plan, options);
    return wanted != nullptr ? wanted : &rows;
  };
  const std::vector<std::string> formats = inputs->formats;
  const auto report = replay_in_order(replay, std::move(*inputs));
  if (!report) return report_error(report.error());
  if (!report->complete) return ExitCode::interrupted;
  const std::vector<std::string> exceeded = exceeded_limits(*report, config.spec.limits, formats);
  for (const std::string& sentence : exceeded) complain(Notice::beyond_limits, sentence);
  if (quiet.end) quiet.end(*plan);
  return exceeded.empty() ? ExitCode::ok : ExitCode::beyond_limits;
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
  return replay_quietly(command, *config, stop, quiet);
}

}  // namespace recmeter
