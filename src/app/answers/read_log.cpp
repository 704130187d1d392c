#include "app/answers/read_log.h"

#include <utility>

#include "app/run/ordered_replay.h"
#include "app/run/run_verdict.h"

namespace recmeter {

Result<LogReading> read_log(const Config& config, const AskedLog& log, const QuietReplay& quiet) {
  auto inputs = log.open(config);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  auto plan = EvaluatorPlan::make(config.spec, inputs->lateness_max, quiet.wants_lists, quiet.follows_experiments);
  if (!plan) return tl::unexpected(plan.error());
  if (quiet.planned) quiet.planned(*plan);
  NoRows rows;
  const OrderedReplay replay{.config = config,
                             .plan = *plan,
                             .range = {},
                             .sorting = log.sorting,
                             .threads = log.threads,
                             .stop = log.stop,
                             .open_again = [&] { return log.open(config); },
                             .begin = [&](bool /*may_be_vain*/, ReplayOptions& options) -> Result<RowSink*> {
                               RowSink* wanted = quiet.begin(*plan, options);
                               return wanted != nullptr ? wanted : &rows;
                             },
                             .meter = log.meter};
  const std::vector<std::string> formats = inputs->formats;
  auto report = replay_in_order(replay, std::move(*inputs));
  if (!report) return tl::unexpected(report.error());
  LogReading out{.is_complete = report->complete, .exceeded = {}, .invalid = {}};
  if (!report->complete) return out;
  out.exceeded = exceeded_limits(*report, config.spec.limits, formats);
  out.invalid = std::move(report->invalid_records);
  if (quiet.end) quiet.end(*plan);
  return out;
}

}  // namespace recmeter
