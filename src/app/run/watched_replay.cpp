#include "app/run/watched_replay.h"

#include <utility>

#include "app/run/interruption.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

EvaluatorSpec join_alone(EvaluatorSpec spec) {
  spec.metrics.requests.clear();
  spec.segments.clear();
  spec.windows = {{.name = "day", .size = one_day, .slide = one_day}};
  return spec;
}

Result<Report> watched_replay(const EvaluatorPlan& plan, ReplayInputs inputs, RunWitness& witness, Executor& executor,
                              const std::function<void(const ReplayProgress&)>& progress, const std::atomic<bool>& stop) {
  NoRows sink;
  ReplayOptions options;
  options.decoders = std::move(inputs.decoders);
  options.stop = &stop;
  options.abandon = out_of_patience(stop);
  options.progress = progress;
  options.witness = &witness;
  return Replay(plan, std::move(inputs.partitions), std::move(options), executor, sink).run();
}

}  // namespace recmeter
