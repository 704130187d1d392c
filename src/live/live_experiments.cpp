#include "live/live_experiments.h"

#include <utility>

#include "live/look_sums.h"
#include "recmeter/live/kept_experiments.h"

namespace recmeter {

LiveExperiments::LiveExperiments(const EvaluatorPlan& plan, std::function<Result<void>(const SharedExperimentRow&)> write)
    : plan_(plan), write_(std::move(write)) {
  for (const PlannedExperiment& experiment : plan.experiments) {
    judges_.emplace_back(experiment, plan.spec->name, plan.spec->config_hash);
  }
  kept_.resize(plan.experiments.size());
}

Result<void> LiveExperiments::write(const ExperimentLook& look) {
  return write_(render(judges_[look.place].judge(look)));
}

Result<void> LiveExperiments::resume(const StateStore& store, std::uint64_t checkpoint) {
  for (std::size_t e = 0; e < kept_.size(); ++e) {
    const auto there = look_sum_in(store, plan_.experiments[e].spec->name, checkpoint);
    if (!there) return tl::unexpected(there.error());
    kept_[e] = *there;
  }
  is_new_ = true;
  return {};
}

void LiveExperiments::save(StateBatch& batch, const std::vector<std::vector<KeptLook>>& looks) {
  const bool is_new = std::exchange(is_new_, false);
  for (std::size_t e = 0; e < looks.size(); ++e) {
    std::size_t at = batch.changes().size();
    for (const KeptLook& look : looks[e]) put_look(batch, plan_.experiments[e], look);
    const std::size_t end = batch.changes().size();
    if (at == end && !is_new) continue;
    for (; at < end; ++at) kept_[e].add(batch.changes()[at].key, batch.changes()[at].value);
    if (kept_[e].records > 0) put_look_sum(batch, plan_.experiments[e].spec->name, kept_[e]);
  }
}

}  // namespace recmeter
