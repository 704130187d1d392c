#include "live/live_evaluation.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/fail_point.h"

namespace recmeter {

namespace {

constexpr Duration first_step = one_minute;
constexpr Duration shortest_step{1'000};
constexpr Duration longest_step = one_hour;  // after silence there may be many rows at once

}  // namespace

LiveEvaluation::LiveEvaluation(std::span<const PlannedGeneration> planned, Executor& executor, RowSink& sink,
                               LiveEvaluationOptions options)
    : plan_(*planned.back().plan),
      options_(std::move(options)),
      experiments_(plan_, options_.write_experiment),
      generations_(planned,
                   {.partitions = options_.partitions,
                    .shards = options_.shards,
                    .range = {},
                    .scored_lists = {},
                    .looks = [this](const ExperimentLook& look) { return experiments_.write(look); },
                    .pasts = std::move(options_.pasts),
                    .abandon = options_.abandon,
                    .memory = options_.memory},
                   options_.program, executor, sink),
      step_(first_step) {
  before_.decided.resize(options_.partitions);
}

Result<GenerationSet::Reach> LiveEvaluation::resume(const StateStore& store, const Checkpoint& from, std::size_t piece) {
  if (auto done = experiments_.resume(store, from.number); !done) return tl::unexpected(std::move(done).error());
  before_ = from.counts();
  before_.decided.resize(options_.partitions);
  const EventTime to = from.backlog ? from.backlog->to : from.sequencer.watermark;
  auto reach = generations_.open_panes(store, from.number, to);
  if (!reach) return reach;
  panes_in_ = &store;
  replay_.emplace(store, *plan_.spec, from, options_.shards, piece, reach->events_from);
  return reach;
}

void LiveEvaluation::receive(std::vector<std::vector<RoutedBatch>>&& routed) {
  if (replay_) replay_->count(routed);
  generations_.receive(std::move(routed));
}

void LiveEvaluation::begin(EventTime w, const LogStart& start, bool is_full, std::vector<std::function<void()>>& tasks) {
  if (panes_in_ != nullptr) return;
  if (replay_ && replay_->is_done()) end_replay();
  if (replay_) {
    replay_->begin(generations_, tasks);
  } else {
    evaluated_ = next_step(w, start, is_full);
    generations_.begin(evaluated_, tasks);
  }
}

Result<void> LiveEvaluation::complete(const LogStart& start) {
  if (!replay_) return generations_.complete(start);
  fail_point("restoring");
  if (panes_in_ != nullptr) {
    const auto some = generations_.restore_panes(*panes_in_);
    if (!some) return tl::unexpected(some.error());
    if (!*some) panes_in_ = nullptr;
    return {};
  }
  return replay_->complete(generations_, start);
}

// What the journal holds is counted again; what was before it is not.
void LiveEvaluation::end_replay() {
  before_ -= generations_.counts();
  evaluated_ = replay_->backlog().to;
  replay_.reset();
}

EventTime LiveEvaluation::next_step(EventTime w, const LogStart& start, bool is_full) {
  if (!is_step_) {
    step_ = first_step;
  } else if (is_full) {
    return evaluated_;
  } else if (step_bytes_ <= options_.unkept_bytes_max / 8) {
    step_ = std::min(step_ + step_, longest_step);
  } else if (step_bytes_ > options_.unkept_bytes_max / 2) {
    step_ = std::max(shortest_step, Duration{step_.ms / 2});
  }
  step_bytes_ = 0;
  const EventTime next = std::max(evaluated_, start.first_event) + step_;
  is_step_ = next < w;
  return std::min(next, w);
}

std::optional<EventTime> LiveEvaluation::replayed_to() const {
  return replay_ ? std::optional(replay_->reached()) : std::nullopt;
}

std::optional<Backlog> LiveEvaluation::backlog(EventTime w) const {
  if (replay_) return replay_->backlog();
  if (is_behind(w)) return Backlog{.to = evaluated_};  // and of events what one round reads
  return std::nullopt;
}

void LiveEvaluation::save(StateBatch& batch, std::uint64_t checkpoint) {
  generations_.save_panes(batch, evaluated_to(), checkpoint, !replay_ || replay_->is_done());
  generations_.drop_finished(evaluated_to(), batch);
  experiments_.save(batch, generations_.take_new_looks());
}

EvaluationCounts LiveEvaluation::counts() const {
  if (replay_) return before_;
  EvaluationCounts counts = generations_.counts();
  counts += before_;
  return counts;
}

}  // namespace recmeter
