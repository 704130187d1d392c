#include "live/live_experiments.h"

#include <utility>

#include "recmeter/live/kept_experiments.h"

namespace recmeter {

LiveExperiments::LiveExperiments(const EvaluatorPlan& plan, std::function<Result<void>(const SharedExperimentRow&)> write)
    : plan_(plan), write_(std::move(write)) {
  for (const PlannedExperiment& experiment : plan.experiments) {
    judges_.emplace_back(experiment, plan.spec->name, plan.spec->config_hash);
  }
}

Result<void> LiveExperiments::write(const ExperimentLook& look) {
  return write_(render(judges_[look.place].judge(look)));
}

void LiveExperiments::save(StateBatch& batch, const std::vector<std::vector<KeptLook>>& looks) const {
  for (std::size_t e = 0; e < looks.size(); ++e) {
    for (const KeptLook& look : looks[e]) put_look(batch, plan_.experiments[e], look);
  }
}

}  // namespace recmeter
