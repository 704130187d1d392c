#include "recmeter/pipeline/shard.h"

#include <algorithm>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

// Events are kept in time buckets of about a 64th of the lateness.
Duration bucket_width(Duration lateness) {
  return Duration{std::clamp<std::int64_t>(lateness.ms / 64, 16, 60'000)};
}

JoinerOptions joiner_options(const EvaluatorPlan& plan, const RunWitness* witness) {
  return {.needs_missed = plan.metrics.needs(ListPart::missed) && plan.spec->join.key.by == JoinKey::By::user,
          .needs_feedback = plan.metrics.needs(ListPart::feedback),
          .tells_decisions = witness != nullptr,
          .labels_per_list = plan.spec->segments.size(),
          .list_items_max = plan.spec->limits.list_items,
          .id_bytes_max = plan.spec->limits.id_bytes};
}

}  // namespace

Shard::Shard(const EvaluatorPlan& plan, std::size_t partitions, PopularityView popularity, RunWitness* witness)
    : plan_(plan),
      rule_(plan.spec->join),
      witness_(witness),
      buffer_(bucket_width(plan.lateness_max), plan.actions),
      segmenter_(plan.spec->segments),
      joiner_(rule_, joiner_options(plan, witness), *this),
      decided_(partitions),
      exposure_(plan.grids.grids().size()),
      exposure_finder_(exposure_.size()),
      sums_(exposure_.size()),
      sums_finder_(exposure_.size()),
      popularity_(popularity) {
  needs_known_ = plan.metrics.needs(ListPart::attributes) || plan.metrics.needs(ListPart::popularity);
  if (plan.metrics.needs(ListPart::popularity)) {
    RECMETER_CHECK(popularity.table != nullptr, "popularity is looked up somewhere");
    acting_.emplace(TrailingPeriod(plan.spec->metrics.popularity));
  }
  for (auto& panes : sums_) panes.resize(rule_.horizons.size());
  for (auto& finders : sums_finder_) finders.resize(rule_.horizons.size());
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
    } else if (is_repeated_feedback(batch, event, rest)) {
      accepted = false;
      ++counts.duplicate;
    } else {
      ++counts.feedback;
      joiner_.add_feedback(batch, event);
      if (acting_) add_act(batch, event);
    }
    if (witness_ != nullptr) {
      witness_->fate(batch, event, rest.front().partition, accepted ? Fate::accepted : Fate::duplicate);
    }
  });
  if (acting_) {
    acting_->advance(w);
    const std::vector<ActingChange> changes = acting_->take_changes();
    output_.acting.insert(output_.acting.end(), changes.begin(), changes.end());
  }
  for (const Interner::Id id : joiner_.items().take_new()) {
    const std::string_view text = joiner_.items().text(id);
    if (needs_known_) {
      if (id >= known_.size()) known_.resize(id + 1);
      known_[id] = {};
      if (plan_.metrics.needs(ListPart::attributes)) known_[id].set_attributes(plan_.spec->catalog->attributes_of(text));
    }
    output_.new_items.push_back({id, std::string(text)});
  }
}

// P2: by a known user, with a gain; whether a list takes the credit does not matter.
void Shard::add_act(const EventBatch& batch, const Event& event) {
  if (event.nobody || rule_.actions[event.action].gain == 0) return;
  acting_->add(user_key(batch.user_id(event)), joiner_.items().intern(batch.item(event, 0), event.ts), event.ts);
}

// Filing an event follows five pointers to memory that has long left the caches; so those of the events to come are followed
// ahead of time, a step at a time.
void Shard::prefetch(std::span<const ReorderBuffer::Pending> rest) const {
  constexpr std::size_t stride = 4;
  for (int step = 0; step < 4; ++step) {
    const std::size_t ahead = stride * static_cast<std::size_t>(4 - step);
    if (rest.size() <= ahead) continue;
    const ReorderBuffer::Pending& pending = rest[ahead];
    joiner_.prefetch(pending.key_hash, step);
    const EventBatch& batch = buffer_.batch(pending);
    const Event& event = batch.events()[pending.event];
    if (step == 0) __builtin_prefetch(&event);
    if (step == 1) batch.prefetch_strings(event);
    if (step == 2) batch.prefetch_bytes(event);
  }
}

// Feedback equal in every field but `value` to one before it. Equal fields mean equal times, so only events of the same
// timeline and time have to be compared, and they come in one run.
bool Shard::is_repeated_feedback(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
  const bool goes_on = rest.front().ts == identities_ts_ && event.key_hash == identities_hash_;
  const bool another = rest.size() > 1 && rest[1].ts == event.ts && rest[1].key_hash == event.key_hash;
  if (!goes_on) {
    identities_.clear();
    identities_ts_ = event.ts;
    identities_hash_ = event.key_hash;
    if (!another) return false;  // alone: by far the usual case
  }
  std::string identity(1, static_cast<char>(event.action));
  for (const std::string_view field :
       {batch.user_id(event), batch.item(event, 0), batch.list_id(event), batch.event_id(event)}) {
    identity += std::to_string(field.size());
    identity += ':';
    identity += field;
  }
  const auto at = std::lower_bound(identities_.begin(), identities_.end(), identity);
  if (at != identities_.end() && *at == identity) return true;
  identities_.insert(at, std::move(identity));
  return false;
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
  segmenter_.label(batch, opening, labels);
}

template <class Cell, class Visit>
void Shard::for_each_cell(std::map<EventTime, SegmentPanes<Cell>>& panes, CellFinder<Cell>& finder, EventTime pane,
                          std::span<const std::uint32_t> labels, Visit&& visit) {
  if (finder.pane != pane || finder.cells == nullptr) {
    finder.pane = pane;
    finder.cells = &panes[pane];
    finder.cells->combinations.resize(plan_.bounds.size());
    finder.by_label.assign(plan_.bounds.size(), {});
  }
  for (std::size_t c = 0; c < plan_.bounds.size(); ++c) {
    const std::uint32_t label = c == 0 ? 0 : labels[c - 1];
    std::vector<Cell*>& found = finder.by_label[c];
    if (label >= found.size()) found.resize(label + 1, nullptr);
    if (found[label] == nullptr) {
      bool moved = false;
      const SegmentValues values = c == 0 ? SegmentValues{} : segmenter_.values(c - 1, label);
      Cell& cell = finder.cells->combinations[c].at(values, plan_.bounds[c], moved);
      if (moved) std::fill(found.begin(), found.end(), nullptr);
      found[label] = &cell;
    }
    visit(*found[label]);
  }
}

void Shard::assembled(const ListView& list) {
  const auto cutoffs = plan_.metrics.exposure_cutoffs();
  if (cutoffs.empty()) return;
  const ExposureParts needs = plan_.metrics.exposure_needs();
  if (needs.counts || needs.overlap) {
    distinct_.count(list.items);
    first_items_.assign(list.items.size(), Interner::none);
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      if (distinct_.is_first(rank)) first_items_[rank] = list.items[rank];
    }
  }
  const bool is_compared = needs.overlap && std::any_of(list.items.begin(), list.items.end(),
                                                        [](Interner::Id id) { return id != Interner::none; });
  const std::uint64_t hash = is_compared ? hash_list(list.list_id, list.ts) : 0;
  for (std::size_t g = 0; g < exposure_.size(); ++g) {
    for_each_cell(exposure_[g], exposure_finder_[g], plan_.grids.grids()[g].start(list.ts), list.labels, [&](Exposure& cell) {
      needs.counts ? cell.add_counts(cutoffs, first_items_) : cell.add(cutoffs, list.items);
      if (is_compared) cell.add_compared(cutoffs, first_items_, hash, list.group, plan_.spec->limits.compared_lists);
    });
  }
}

void Shard::scored(const ListView& list, std::size_t horizon, const ScoredList& score,
                   std::span<const AssignedFeedback> feedback) {
  const bool matured = list.ts + rule_.horizons[horizon] + rule_.skew <= log_end_;
  const ListOwner owner{.group = list.group, .user = plan_.metrics.needs_users() ? user_of(list) : UserKey{}};
  const auto for_each = [&](auto&& visit) {
    for (std::size_t g = 0; g < sums_.size(); ++g) {
      for_each_cell(sums_[g][horizon], sums_finder_[g][horizon], plan_.grids.grids()[g].start(list.ts), list.labels, visit);
    }
  };
  if (plan_.metrics.needs_users()) for_each([&](const PaneSums& cell) { cell.prefetch(owner.user); });
  const ScoredList whole = with_parts(list, score);
  values_.assign(plan_.metrics, whole);
  for_each([&](PaneSums& cell) { cell.add(owner, values_, feedback, matured); });
  if (witness_ != nullptr) witness_->scored(list, horizon, whole, joiner_.items());
  if (plan_.lists_wanted) output_.lines.push_back(scored_line(plan_, segmenter_, list, horizon, whole));
}

void Shard::KnownItem::set_attributes(std::span<const std::uint32_t> attributes) {
  attributes_size = static_cast<std::uint32_t>(attributes.size());
  if (attributes.size() > few) {
    attributes_there = attributes.data();
  } else {
    std::copy(attributes.begin(), attributes.end(), attributes_here.begin());
  }
}

// Makes known_ say of the items what it was at `step`. What is to be said of an item stands where a chain of pointers ends,
// in memory that has long left the caches: so all items of a list go along theirs together, a step at a time, and what was
// found is kept as long as it holds.
void Shard::look_up(std::span<const Interner::Id> items, std::int64_t step) {
  for (const Interner::Id item : items) {
    if (item != Interner::none) __builtin_prefetch(&known_[item]);
  }
  unknown_.clear();
  for (const Interner::Id item : items) {
    if (item == Interner::none) continue;
    if (acting_ && known_[item].step != step) unknown_.push_back(item);
  }
  if (unknown_.empty()) return;
  const std::vector<std::uint32_t>& number_of = *popularity_.number_of;
  for (const Interner::Id item : unknown_) __builtin_prefetch(&number_of[item]);
  for (const Interner::Id item : unknown_) popularity_.table->prefetch(number_of[item], 0);
  for (const Interner::Id item : unknown_) popularity_.table->prefetch(number_of[item], 1);
  for (const Interner::Id item : unknown_) {
    known_[item].acting_users = static_cast<std::uint32_t>(popularity_.table->users_of(number_of[item], step));
    known_[item].step = step;
  }
}

// The list with the parts that metrics ask for and the join does not know. Valid until the next call.
ScoredList Shard::with_parts(const ListView& list, const ScoredList& score) {
  ScoredList whole = score;
  const std::int64_t step = acting_ ? popularity_.table->step_of(list.ts) : 0;
  if (needs_known_) look_up(list.items, step);
  if (plan_.metrics.needs(ListPart::distinct)) {
    distinct_.count(list.items);
    whole.distinct = distinct_.counts();
  }
  if (plan_.metrics.needs(ListPart::attributes)) {
    attributes_.assign(list.items.size(), {});
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      if (list.items[rank] != Interner::none) attributes_[rank] = known_[list.items[rank]].attributes();
    }
    whole.attributes = attributes_;
  }
  if (acting_) {
    const PopularityTable& table = *popularity_.table;
    acting_users_of_.clear();
    for (const Interner::Id item : list.items) {
      acting_users_of_.push_back(item == Interner::none ? 0 : known_[item].acting_users);
    }
    whole.acting_users_of = acting_users_of_;
    whole.acting_users = table.users(step);
    whole.popular_from = table.popular_from(step);
  }
  return whole;
}

// The user of SEMANTICS §6.
UserKey Shard::user_of(const ListView& list) const {
  const bool known = !list.user_id.empty() && !rule_.key.not_users.contains(list.user_id);
  return user_key(known ? list.user_id : list.list_id);
}

EventTime Shard::next_seal() const {
  EventTime next = plus_infinity;
  for (const PaneGrid& grid : plan_.grids.grids()) {
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
      const EventTime first = joiner_.first_unscored(h);
      if (first != plus_infinity) next = std::min(next, grid.start(first) + grid.width + rule_.horizons[h] + rule_.skew);
    }
    if (plan_.metrics.exposure_cutoffs().empty()) continue;
    const EventTime first = joiner_.first_unassembled();
    if (first != plus_infinity) next = std::min(next, grid.start(first) + grid.width + rule_.assemble);
  }
  return next;
}

void Shard::seal(EventTime w) {
  const auto grids = plan_.grids.grids();
  output_.exposure.resize(grids.size());
  output_.sums.resize(grids.size());
  for (std::size_t g = 0; g < grids.size(); ++g) {
    const auto move_sealed = [&](auto& panes, auto& finder, auto& to, Duration after) {
      while (!panes.empty() && panes.begin()->first + grids[g].width + after <= w) {
        if (finder.pane == panes.begin()->first) finder.cells = nullptr;
        to.insert(panes.extract(panes.begin()));
      }
    };
    move_sealed(exposure_[g], exposure_finder_[g], output_.exposure[g], rule_.assemble);
    output_.sums[g].resize(rule_.horizons.size());
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
      move_sealed(sums_[g][h], sums_finder_[g][h], output_.sums[g][h], rule_.horizons[h] + rule_.skew);
    }
  }
}

void Shard::forget(EventTime w) {
  if (w < next_forget_ || w == plus_infinity) return;
  // A sweep looks at every item, so it is made only when as much time has passed as items are kept for.
  const Duration memory = plan_.item_memory(joiner_.memory());
  next_forget_ = w + memory;
  const auto forgotten = joiner_.items().forget_before(w - memory);
  output_.forgotten_items.insert(output_.forgotten_items.end(), forgotten.begin(), forgotten.end());
  if (!segmenter_.forget_before(w - memory)) return;
  for (auto& finder : exposure_finder_) finder.cells = nullptr;
  for (auto& finders : sums_finder_) {
    for (auto& finder : finders) finder.cells = nullptr;
  }
}

std::size_t Shard::sums_bytes() const {
  std::size_t bytes = 0;
  for (const auto& horizons : sums_) {
    for (const auto& panes : horizons) {
      for (const auto& [start, cells] : panes) bytes += cells.memory_bytes();
    }
  }
  return bytes;
}

std::size_t Shard::popularity_bytes() const {
  return acting_ ? acting_->memory_bytes() : 0;
}

std::size_t Shard::exposure_bytes() const {
  std::size_t bytes = 0;
  for (const auto& panes : exposure_) {
    for (const auto& [start, cells] : panes) bytes += cells.memory_bytes();
  }
  return bytes;
}

}  // namespace recmeter
