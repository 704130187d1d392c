#include "recmeter/live/generation_set.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/live/generation.h"

namespace recmeter {

GenerationSet::GenerationSet(std::span<const PlannedGeneration> planned, EvaluationOptions&& options, Executor& executor,
                             RowSink& sink)
    : sink_(sink) {
  RECMETER_CHECK(!planned.empty(), "there is a generation");
  for (std::size_t g = 0; g < planned.size(); ++g) {
    const EvaluatorPlan& plan = *planned[g].plan;
    const EventTime next = g + 1 < planned.size() ? planned[g + 1].from : plus_infinity;
    const JoinRule& join = plan.spec->join;
    const EventTime finished = next == plus_infinity
                                   ? plus_infinity
                                   : next + plan.longest_window() + join.longest_horizon() + join.skew + plan.lane_delay();
    EvaluationOptions own{.partitions = options.partitions,
                          .shards = options.shards,
                          .range = {.from = planned[g].from, .starts_before = next},
                          .scored_lists = {},
                          .abandon = options.abandon,
                          .memory = options.memory};
    if (g + 1 == planned.size()) {
      own.looks = std::move(options.looks);
      own.pasts = std::move(options.pasts);
    }
    running_.push_back(std::unique_ptr<Running>(new Running{.plan = plan,
                                                            .number = planned[g].number,
                                                            .finished = finished,
                                                            .evaluation = Lanes(plan, std::move(own), executor, *this)}));
  }
}

void GenerationSet::receive(std::vector<std::vector<RoutedBatch>>&& routed) {
  for (std::size_t g = 0; g + 1 < running_.size(); ++g) {
    auto copy = routed;
    running_[g]->evaluation.receive(std::move(copy));
  }
  running_.back()->evaluation.receive(std::move(routed));
}

void GenerationSet::begin(EventTime w, std::vector<std::function<void()>>& tasks) {
  for (auto& running : running_) running->evaluation.begin(w, tasks);
}

Result<void> GenerationSet::complete(const LogStart& start) {
  for (auto& running : running_) {
    if (auto done = running->evaluation.complete(start); !done) return done;
  }
  return hand_over();
}

Result<void> GenerationSet::advance(EventTime w, const LogStart& start) {
  for (auto& running : running_) {
    if (auto done = running->evaluation.advance(w, start); !done) return done;
  }
  return hand_over();
}

// The windows of a generation end where those of the next one begin: none goes before an older one.
void GenerationSet::drop_finished(EventTime w, StateBatch& batch) {
  while (running_.front()->finished <= w) {
    erase_generation(batch, running_.front()->number);
    running_.erase(running_.begin());
  }
}

Duration GenerationSet::event_memory() const {
  Duration longest{0};
  for (const auto& running : running_) longest = std::max(longest, running->plan.event_memory());
  return longest;
}

Result<void> GenerationSet::write(const Row& row) {
  if (running_.size() == 1) return sink_.write(row);
  due_.push_back(row);
  return {};
}

// Each generation's rows come in this order already.
Result<void> GenerationSet::hand_over() {
  std::stable_sort(due_.begin(), due_.end(),
                   [](const Row& a, const Row& b) { return a.end + a.horizon < b.end + b.horizon; });
  for (const Row& row : std::exchange(due_, {})) {
    if (auto written = sink_.write(row); !written) return written;
  }
  return {};
}

}  // namespace recmeter
