#include "recmeter/live/generation_set.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/live/generation.h"

namespace recmeter {

GenerationSet::GenerationSet(std::span<const PlannedGeneration> planned, EvaluationOptions&& options,
                             std::string_view program, Executor& executor, RowSink& sink)
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
                          .keeps_panes = plan.keeps_panes,
                          .abandon = options.abandon,
                          .memory = options.memory};
    if (g + 1 == planned.size()) {
      own.looks = std::move(options.looks);
      own.pasts = std::move(options.pasts);
    }
    running_.push_back(std::unique_ptr<Running>(new Running{.plan = plan,
                                                            .number = planned[g].number,
                                                            .finished = finished,
                                                            .evaluation = Lanes(plan, std::move(own), executor, *this),
                                                            .panes = {}}));
    if (plan.keeps_panes) running_.back()->panes.emplace(plan, planned[g].number, program);
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
    judge_panes(*running);
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

Result<GenerationSet::Reach> GenerationSet::open_panes(const StateStore& store, std::uint64_t checkpoint, EventTime to) {
  Reach reach;
  restored_to_ = to;
  for (auto& running : running_) {
    const auto found = running->panes ? running->panes->open(store, checkpoint) : KeptPanes::Found::none;
    if (!found) return tl::unexpected(found.error());
    running->is_to_restore = *found == KeptPanes::Found::whole && to != minus_infinity;
    reach.is_damaged = reach.is_damaged || *found == KeptPanes::Found::damaged;
    reach.events_from =
        std::min(reach.events_from, running->is_to_restore ? to - running->plan.open_memory() : minus_infinity);
  }
  return reach;
}

Result<bool> GenerationSet::restore_panes(const StateStore& store) {
  constexpr std::size_t piece_bytes = std::size_t{8} << 20;
  for (auto& running : running_) {
    if (!running->is_to_restore) continue;
    auto piece = running->panes->read(store, piece_bytes);
    if (!piece) return tl::unexpected(std::move(piece).error());
    running->is_to_restore = piece->to != plus_infinity;
    running->evaluation.restore(std::move(piece->panes), std::min(piece->to, restored_to_), restored_to_);
    return true;
  }
  return false;
}

void GenerationSet::save_panes(StateBatch& batch, EventTime w, std::uint64_t checkpoint, bool are_all) {
  for (auto& running : running_) {
    if (!running->panes) continue;
    if (running->gives_up_panes) {
      KeptPanes::drop(batch, running->number);
      running->panes.reset();
      continue;
    }
    std::deque<KeptPane> panes = running->evaluation.take_kept();
    for (const KeptPane& pane : panes) running->pane_bytes += pane.bytes.size();
    running->panes->save(batch, std::move(panes), w, checkpoint, are_all);
  }
}

// A byte of a pane takes as long to read as five of the journal, which has some 150 for a list, and still longer to write.
// What was restored has lists that are read again without making panes: they are few.
void GenerationSet::judge_panes(Running& running) {
  constexpr std::uint64_t judged_from = std::uint64_t{1} << 20;
  constexpr std::uint64_t bytes_of_a_list_max = 8;
  const std::uint64_t bytes = running.pane_bytes + running.evaluation.kept_bytes();
  if (!running.panes || running.gives_up_panes || bytes < std::max(judged_from, running.judge_at)) return;
  running.judge_at = bytes + judged_from / 4;
  if (bytes <= bytes_of_a_list_max * running.evaluation.counts().lists) return;
  running.gives_up_panes = true;
  running.evaluation.keep_no_more();
}

std::size_t GenerationSet::unkept_pane_bytes() const {
  std::size_t bytes = 0;
  for (const auto& running : running_) bytes += running->evaluation.kept_bytes();
  return bytes;
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
