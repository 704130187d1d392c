#include "recmeter/evaluation/shard.h"

#include <algorithm>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/user_key.h"

namespace recmeter {

namespace {

// Whether something is known of a list's items that its value depends on.
bool looks_at_items(const EvaluatorPlan& plan) {
  return plan.metrics.needs(ListPart::attributes) || plan.metrics.needs(ListPart::popularity);
}

ListIds list_ids_of(const EvaluatorPlan& plan) {
  if (plan.lane.empty()) return ListIds::all;
  if (plan.spec->lanes.is_shadow()) return ListIds::none;
  return plan.candidate ? ListIds::known : ListIds::all;
}

// How long places are asked for: by lists of up to a horizon later, once they are scored.
Duration place_memory(const JoinRule& rule) {
  const Duration longest = rule.longest_horizon();
  return longest + longest + rule.skew + rule.assemble + Duration{1};
}

LaneFeed feed_of(const EvaluatorPlan& plan) {
  const JoinRule& rule = plan.spec->join;
  const bool judges_policy = plan.policy.has_value();
  PlaceLog places(rule, plan.spec->limits.list_items,
                  {.items = plan.asks_seen() || judges_policy, .propensities = judges_policy}, place_memory(rule));
  const LaneFeed::Kind kind = judges_policy    ? LaneFeed::Kind::policies
                              : plan.candidate ? LaneFeed::Kind::candidates
                                               : LaneFeed::Kind::shown;
  return {kind, plan.policy.value_or(plan.candidate.value_or(0)), rule.assemble, std::move(places)};
}

JoinerOptions joiner_options(const EvaluatorPlan& plan, const RunWitness* witness, std::pmr::memory_resource* memory) {
  return {.needs_missed = plan.metrics.needs(ListPart::missed) && plan.spec->join.key.by == JoinKey::By::user,
          .needs_feedback = plan.metrics.needs(ListPart::feedback),
          .needs_retests = plan.metrics.needs(ListPart::retests),
          .needs_scores = plan.metrics.needs(ListPart::scores),
          .asked_actions = plan.metrics.asked_actions(),
          .teams = plan.teams,
          .tells_decisions = witness != nullptr,
          .tells_upcoming = looks_at_items(plan) || !plan.experiments.empty(),
          .list_ids = list_ids_of(plan),
          .were_shown = !plan.candidate,
          .worth_once_by = plan.spec->counts_worth_once ? std::optional<std::size_t>(0) : std::nullopt,
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
      known_(plan, popularity),
      repeated_(rule_),
      range_(range) {
  for (std::size_t e = 0; e < plan.experiments.size(); ++e) tallies_.emplace_back(plan, e);
  if (plan.follows_places()) feed_.emplace(feed_of(plan));
  if (plan.policy) policies_.emplace(feed_->places(), rule_.key);
  if (plan.metrics.needs(ListPart::seen) || plan.asks_seen()) seen_.emplace(plan.candidate ? &feed_->places() : nullptr);
}

void Shard::settle(EventTime w) {
  for (RoutedBatch& routed : inbox_) buffer_.add(std::move(routed));
  inbox_.clear();
  const EventTime read_to = feed_ && w != plus_infinity && w != minus_infinity ? w + plan_.lane_delay() : w;
  buffer_.release_before(read_to,
                         [&](const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
                           prefetch(rest);
                           feed_ ? take_for_lane(batch, event, rest) : take(batch, event, rest);
                         });
  if (feed_) release_feed(w);
  const std::vector<ActingChange> changes = known_.advance(w);
  output_.acting.insert(output_.acting.end(), changes.begin(), changes.end());
  for (const Interner::Id id : joiner_.items().take_new()) {
    const std::string_view text = joiner_.items().text(id);
    known_.learn(id, text);
    output_.new_items.push_back({id, std::string(text)});
  }
}

void Shard::take(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
  EventCounts& counts = decided_[rest.front().partition];
  const bool is_feedback = event.kind == EventKind::feedback;
  const std::optional<DuplicateReason> duplicate =
      is_feedback ? repeated_.duplicate(batch, event, rest) : joiner_.add_impression(batch, event);
  if (duplicate) {
    counts.add_duplicate(*duplicate);
  } else {
    ++(is_feedback ? counts.feedback : counts.impressions);
    if (is_feedback) add_feedback(batch, event);
  }
  if (witness_ == nullptr) return;
  witness_->fate(batch, event, PartitionIndex{rest.front().partition}, duplicate ? Fate::duplicate : Fate::accepted,
                 duplicate);
}

void Shard::add_feedback(const EventBatch& batch, const Event& event) {
  const bool is_relevant = joiner_.add_feedback(batch, event);
  known_.add_act(batch, event, is_relevant, joiner_.items());
}

// Of a lane: on its way to the join. What all lanes are given is counted in that of what was shown.
void Shard::take_for_lane(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
  const std::uint32_t partition = rest.front().partition;
  if (event.kind == EventKind::feedback) {
    const std::optional<DuplicateReason> duplicate = repeated_.duplicate(batch, event, rest);
    if (duplicate && plan_.counts_events()) decided_[partition].add_duplicate(*duplicate);
    if (duplicate) return;
  }
  feed_->add({.batch = buffer_.shared(rest.front()), .event = rest.front().event, .partition = partition}, joiner_.items());
}

void Shard::release_feed(EventTime w) {
  const auto file = [&](const LaneFeed::Entry& entry) {
    const Event& event = entry.what();
    if (event.kind == EventKind::feedback) {
      if (plan_.counts_events()) ++decided_[entry.partition].feedback;
      return add_feedback(*entry.batch, event);
    }
    if (event.kind == EventKind::candidate) {
      return joiner_.add_candidate(*entry.place_batch, entry.place_batch->events()[entry.place], *entry.batch, event);
    }
    const std::optional<DuplicateReason> duplicate = joiner_.add_impression(*entry.batch, event);
    if (!plan_.counts_events()) return;
    EventCounts& counts = decided_[entry.partition];
    duplicate ? counts.add_duplicate(*duplicate) : void(++counts.impressions);
  };
  feed_->release_before(w, joiner_.items(), file, [&](const LaneFeed::Entry& entry, bool is_accepted) {
    EventCounts& counts = decided_[entry.partition];
    const bool is_policy = entry.what().kind == EventKind::policy;
    if (!is_accepted) return counts.add_duplicate(DuplicateReason::again);
    ++(is_policy ? counts.policies : counts.candidates);
  });
}

LaneCounts Shard::lane_counts() const {
  LaneCounts counts;
  counts.feedback = joiner_.outcomes();
  counts.unpaired = unpaired_;
  if (feed_) (policies_ ? counts.policies : counts.candidates) = feed_->counts();
  if (policies_) counts.policies += policies_->counts();
  if (policies_) counts.judged = policies_->judged();
  return counts;
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
  // Else the user is known by its list before.
  const bool is_looked_up = step == 3 && !tallies_.empty() && event.kind != EventKind::feedback && !event.nobody;
  if (!is_looked_up || joiner_.may_hold_list(event.key_hash)) return;
  const UserKey user = user_key(batch.user_id(event));
  for (const ExperimentTally& tally : tallies_) tally.prefetch(user);
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

void Shard::label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
                  std::span<const std::uint32_t> before) {
  segmenter_.label(batch, opening, labels.first(plan_.spec->segments.size()));
  plan_.label_latency(batch, opening, labels);
  for (ExperimentTally& tally : tallies_) tally.label(batch, opening, labels, before);
  if (plan_.tally) lists_tally_.has_propensities(opening.has_propensities);
  if (witness_ != nullptr) witness_->opened(batch, opening, labels);
}

void Shard::upcoming(const UpcomingList& list) {
  if (looks_at_items(plan_)) known_.prefetch(list.items);
  for (const ExperimentTally& tally : tallies_) tally.prefetch(list);
}

// Where another lane has no list in its place.
bool Shard::is_left_out(const ListView& list) {
  if (!plan_.spec->lanes.pairs || !feed_) return false;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - plan_.spec->lanes.names.size());
  const bool is_nobody = rule_.key.is_nobody(list.user_id);
  const std::string_view user = is_nobody ? list.list_id : list.user_id;
  const std::optional<std::uint16_t> twin = plan_.candidate ? std::nullopt : std::optional(list.twin);
  const ListPlace* const place = feed_->places().place_of(is_nobody, user, list.ts, list.list_id, twin);
  return place == nullptr || ((place->stood_in | place->at_moment) & all) != all;
}

void Shard::assembled(const ListView& list) {
  if (policies_) policies_->count(list);
  if (is_left_out(list)) {
    ++unpaired_;
  } else {
    cells_.add_shown(list);
  }
}

void Shard::scored(const ListView& list, HorizonIndex at, const ScoredList& score,
                   std::span<const AssignedFeedback> feedback) {
  if (is_left_out(list)) return;
  const std::size_t horizon = index_of(at);
  if (!seen_) return add_values(list, horizon, score, feedback);
  seen_->look(list, rule_.key, rule_.horizons[horizon]);
  const bool is_condensed = plan_.candidate && plan_.spec->lanes.unjudged == LaneSpec::Unjudged::drop;
  if (!is_condensed) return add_values(list, horizon, score, feedback);
  const ListView shorter = seen_->condensed(list);
  add_values(shorter, horizon, seen_->condensed(score), feedback);
}

void Shard::add_values(const ListView& list, std::size_t horizon, const ScoredList& score,
                       std::span<const AssignedFeedback> feedback) {
  const bool matured = list.ts + rule_.horizons[horizon] + rule_.skew <= log_end_;
  const ListOwner owner = cells_.owner_of(list);
  if (plan_.metrics.needs_users()) {
    cells_.for_each_sums(list, horizon, [&](const PaneSums& cell) { cell.prefetch(owner.user); });
  }
  ScoredList whole = known_.complete(list, score, joiner_.items());
  if (seen_) seen_->add_to(whole);
  if (policies_) whole.policy = policies_->policy_of(list);
  values_.assign(plan_.metrics, whole);
  const bool is_open = keeps_open_ && !matured;
  cells_.for_each_sums(list, horizon, [&](PaneSums& cell) {
    cell.add(owner, values_, feedback, matured || is_open);
    if (is_open) cell.add_open(list.ts);
  });
  for (std::size_t e = 0; e < tallies_.size(); ++e) {
    if (plan_.experiments[e].horizon == horizon) tallies_[e].add(list, score, values_);
  }
  if (plan_.tally && plan_.tally->horizon == horizon && range_.contains(list.ts)) {
    lists_tally_.add(*plan_.tally, plan_.metrics, rule_.key, segmenter_, list, whole);
    if (list.ts + rule_.horizons[horizon] + rule_.skew > last_record_) lists_tally_.add_cut();
  }
  if (witness_ != nullptr) witness_->scored(list, HorizonIndex(horizon), whole, joiner_.items(), matured);
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
  if (feed_) feed_->places().forget(w);
  if (w < next_forget_ || w == plus_infinity) return;
  // A sweep looks at every item, so it is made only when as much time has passed as items are kept for.
  const Duration of_join = feed_ ? std::max(joiner_.memory(), place_memory(rule_)) : joiner_.memory();
  const Duration memory = plan_.item_memory(of_join);
  next_forget_ = w + memory;
  const auto forgotten = joiner_.items().forget_before(w - memory);
  output_.forgotten_items.insert(output_.forgotten_items.end(), forgotten.begin(), forgotten.end());
  if (!segmenter_.forget_before(w - memory)) return;
  cells_.forget_labels();
  for (ExperimentTally& tally : tallies_) tally.forget_labels();
}

}  // namespace recmeter
