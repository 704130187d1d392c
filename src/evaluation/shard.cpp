#include "recmeter/evaluation/shard.h"

#include <algorithm>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

namespace {

// Whether something is known of a list's items that its value depends on.
bool looks_at_items(const EvaluatorPlan& plan) {
  return plan.metrics.needs(ListPart::attributes) || plan.metrics.needs(ListPart::popularity);
}

JoinerOptions joiner_options(const EvaluatorPlan& plan, const RunWitness* witness, std::pmr::memory_resource* memory) {
  return {.needs_missed = plan.metrics.needs(ListPart::missed) && plan.spec->join.key.by == JoinKey::By::user,
          .needs_feedback = plan.metrics.needs(ListPart::feedback),
          .asked_actions = plan.metrics.asked_actions(),
          .teams = plan.teams,
          .tells_decisions = witness != nullptr,
          .tells_upcoming = looks_at_items(plan) || !plan.experiments.empty(),
          .labels_per_list = plan.labels_per_list(),
          .list_items_max = plan.spec->limits.list_items,
          .id_bytes_max = plan.spec->limits.id_bytes,
          .memory = memory};
}

}  // namespace

Shard::Shard(const EvaluatorPlan& plan, std::size_t partitions, PopularityView popularity, RunWitness* witness,
             std::pmr::memory_resource* memory, TimeSpan range)
    : plan_(plan),
      rule_(plan.spec->join),
      witness_(witness),
      buffer_(ReorderBuffer::bucket_for(plan.lateness_max), plan.actions),
      segmenter_(plan.spec->segments),
      joiner_(rule_, joiner_options(plan, witness, memory), *this),
      decided_(partitions),
      cells_(plan, segmenter_, range),
      known_(plan, popularity) {
  for (const PlannedExperiment& experiment : plan.experiments) tallies_.emplace_back(experiment, rule_.key);
}

void Shard::settle(EventTime w) {
  for (RoutedBatch& routed : inbox_) buffer_.add(std::move(routed));
  inbox_.clear();
  buffer_.release_before(w, [&](const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
    EventCounts& counts = decided_[rest.front().partition];
    prefetch(rest);
    bool accepted = true;
    if (event.kind != EventKind::feedback) {
      accepted = joiner_.add_impression(batch, event);
      ++(accepted ? counts.impressions : counts.duplicate);
    } else if (repeated_.repeats(batch, event, rest)) {
      accepted = false;
      ++counts.duplicate;
    } else {
      ++counts.feedback;
      joiner_.add_feedback(batch, event);
      known_.add_act(batch, event, joiner_.items());
    }
    if (witness_ != nullptr) {
      witness_->fate(batch, event, PartitionIndex{rest.front().partition}, accepted ? Fate::accepted : Fate::duplicate);
    }
  });
  const std::vector<ActingChange> changes = known_.advance(w);
  output_.acting.insert(output_.acting.end(), changes.begin(), changes.end());
  for (const Interner::Id id : joiner_.items().take_new()) {
    const std::string_view text = joiner_.items().text(id);
    known_.learn(id, text);
    output_.new_items.push_back({id, std::string(text)});
  }
}

// Filing an event follows five pointers to memory that has long left the caches; so those of the events to come are followed
// ahead of time, a step at a time.
void Shard::prefetch(std::span<const ReorderBuffer::Pending> rest) {
  constexpr std::size_t stride = 4;
  // The first events of a bucket had none before them that could do it.
  const bool is_first = rest.size() + 1 != prefetched_;
  prefetched_ = rest.size();
  for (int step = 0; step < 4; ++step) {
    const std::size_t ahead = stride * static_cast<std::size_t>(4 - step);
    for (std::size_t i = is_first ? 0 : ahead; i <= ahead && i < rest.size(); ++i) prefetch(rest[i], step);
  }
}

void Shard::prefetch(const ReorderBuffer::Pending& pending, int step) const {
  joiner_.prefetch(pending.key_hash, step);
  const EventBatch& batch = buffer_.batch(pending);
  const Event& event = batch.events()[pending.event];
  if (step == 0) fetch_ahead(&event);
  if (step == 1) batch.prefetch_strings(event);
  if (step == 2) batch.prefetch_bytes(event);
  if (step >= 2) joiner_.prefetch_items(batch, event, step);
}

void Shard::advance(EventTime w, EventTime log_end) {
  log_end_ = log_end;
  joiner_.advance(w);
  seal(w);
  forget(w);
}

ShardOutput Shard::take_output() {
  return std::exchange(output_, {});
}

void Shard::label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels) {
  segmenter_.label(batch, opening, labels.first(plan_.spec->segments.size()));
  plan_.label_latency(batch, opening, labels);
  const std::size_t first = plan_.first_arm_label();
  for (std::size_t e = 0; e < tallies_.size(); ++e) labels[first + e] = tallies_[e].arm_of(batch, opening);
}

void Shard::upcoming(const ListView& list) {
  if (looks_at_items(plan_)) known_.prefetch(list.items);
  for (const ExperimentTally& tally : tallies_) tally.prefetch(list);
}

void Shard::scored(const ListView& list, HorizonIndex at, const ScoredList& score,
                   std::span<const AssignedFeedback> feedback) {
  const std::size_t horizon = index_of(at);
  const bool matured = list.ts + rule_.horizons[horizon] + rule_.skew <= log_end_;
  const ListOwner owner = cells_.owner_of(list);
  if (plan_.metrics.needs_users()) {
    cells_.for_each_sums(list, horizon, [&](const PaneSums& cell) { cell.prefetch(owner.user); });
  }
  const ScoredList whole = known_.complete(list, score);
  values_.assign(plan_.metrics, whole);
  cells_.for_each_sums(list, horizon, [&](PaneSums& cell) { cell.add(owner, values_, feedback, matured); });
  for (std::size_t e = 0; e < tallies_.size(); ++e) {
    if (plan_.experiments[e].horizon != horizon) continue;
    tallies_[e].add(list, list.labels[plan_.first_arm_label() + e], score, values_);
  }
  if (witness_ != nullptr) witness_->scored(list, at, whole, joiner_.items());
  if (plan_.lists_wanted) output_.lines.push_back(scored_line(plan_, segmenter_, list, horizon, whole));
}

EventTime Shard::next_seal() const {
  EventTime next = plus_infinity;
  for (const PaneGrid& grid : plan_.grids.grids()) {
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
      const EventTime first = joiner_.first_unscored(HorizonIndex(h));
      if (first != plus_infinity) next = std::min(next, grid.start(first) + grid.width + rule_.horizons[h] + rule_.skew);
    }
    if (!plan_.wants_exposure()) continue;
    const EventTime first = joiner_.first_unassembled();
    if (first != plus_infinity) next = std::min(next, grid.start(first) + grid.width + rule_.assemble);
  }
  for (std::size_t e = 0; e < tallies_.size(); ++e) {
    const PlannedExperiment& experiment = plan_.experiments[e];
    const EventTime first = joiner_.first_unscored(HorizonIndex(experiment.horizon));
    if (first != plus_infinity) next = std::min(next, experiment.next_complete_after(first + experiment.age - Duration{1}));
    next = std::min(next, tallies_[e].next_complete());
  }
  return next;
}

void Shard::seal(EventTime w) {
  const auto grids = plan_.grids.grids();
  output_.exposure.resize(grids.size());
  output_.sums.resize(grids.size());
  for (std::size_t g = 0; g < grids.size(); ++g) {
    // Panes that start before it ended `age` before w.
    const auto ended = [&](Duration age) {
      if (grids[g].is_whole()) return minus_infinity;
      return w == plus_infinity ? w : w - age - grids[g].width + Duration{1};
    };
    cells_.take_exposure(g, ended(rule_.assemble), output_.exposure[g]);
    output_.sums[g].resize(rule_.horizons.size());
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
      cells_.take_sums(g, h, ended(rule_.horizons[h] + rule_.skew), output_.sums[g][h]);
    }
  }
  output_.looks.resize(tallies_.size());
  for (std::size_t e = 0; e < tallies_.size(); ++e) tallies_[e].take(w, output_.looks[e]);
}

void Shard::seal_whole() {
  seal(minus_infinity);
  const auto grids = plan_.grids.grids();
  for (std::size_t g = 0; g < grids.size(); ++g) {
    if (!grids[g].is_whole()) continue;
    cells_.take_exposure(g, plus_infinity, output_.exposure[g]);
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) cells_.take_sums(g, h, plus_infinity, output_.sums[g][h]);
  }
  output_.whole = cells_.shown();
}

void Shard::forget(EventTime w) {
  if (w < next_forget_ || w == plus_infinity) return;
  // A sweep looks at every item, so it is made only when as much time has passed as items are kept for.
  const Duration memory = plan_.item_memory(joiner_.memory());
  next_forget_ = w + memory;
  const auto forgotten = joiner_.items().forget_before(w - memory);
  output_.forgotten_items.insert(output_.forgotten_items.end(), forgotten.begin(), forgotten.end());
  if (segmenter_.forget_before(w - memory)) cells_.forget_labels();
}

}  // namespace recmeter
