#include "recmeter/evaluation/known_items.h"

#include <algorithm>
#include <limits>

#include "recmeter/base/check.h"
#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

KnownItems::KnownItems(const EvaluatorPlan& plan, PopularityView popularity) : plan_(plan), popularity_(popularity) {
  is_needed_ = plan.metrics.needs(ListPart::attributes) || plan.metrics.needs(ListPart::popularity);
  if (plan.metrics.needs(ListPart::history)) first_acts_.emplace();
  if (!plan.metrics.needs(ListPart::popularity)) return;
  RECMETER_CHECK(popularity.table != nullptr, "popularity is looked up somewhere");
  acting_.emplace(TrailingPeriod(plan.spec->metrics.popularity));
}

void KnownItems::learn(Interner::Id id, std::string_view text) {
  if (plan_.metrics.needs(ListPart::groups)) {
    if (id >= group_of_.size()) group_of_.resize(id + 1);
    group_of_[id] = plan_.spec->catalog->group_of(text);
  }
  if (!is_needed_) return;
  if (id >= known_.size()) known_.resize(id + 1);
  known_[id] = {};
  if (plan_.metrics.needs(ListPart::attributes)) known_[id].set_attributes(plan_.spec->catalog->attributes_of(text));
}

void KnownItems::add_act(const EventBatch& batch, const Event& event, bool is_relevant, Interner& items) {
  if (event.nobody || plan_.spec->join.actions[event.action].gain == 0) return;
  if (first_acts_) first_acts_->add(user_key(batch.user_id(event)), batch.item(event, 0), event.ts);
  if (!acting_ || !is_relevant) return;
  acting_->add(user_key(batch.user_id(event)), items.intern(batch.item(event, 0), event.ts), event.ts);
}

std::vector<ActingChange> KnownItems::advance(EventTime w) {
  if (!acting_) return {};
  acting_->advance(w);
  return acting_->take_changes();
}

void KnownItems::KnownItem::set_attributes(std::span<const std::uint32_t> attributes) {
  if (attributes.size() > few) {
    attributes_size = many;
    attributes_there = {.first = attributes.data(), .size = attributes.size()};
  } else {
    attributes_size = static_cast<std::uint16_t>(attributes.size());
    std::copy(attributes.begin(), attributes.end(), attributes_here.begin());
  }
}

void KnownItems::KnownItem::set_acting(std::int64_t from, const StepHistory::Lasting& users) {
  constexpr std::int64_t most = std::numeric_limits<std::uint16_t>::max();
  step = from;
  steps = users.until <= from ? 0 : static_cast<std::uint16_t>(std::min(most, users.until - from));
  acting_users = static_cast<std::uint32_t>(users.value);
}

// Makes known_ say of the items what it was at `step`. What is to be said of an item stands where a chain of pointers ends,
// in memory that has long left the caches: so all items of a list go along theirs together, a step at a time, and what was
// found is kept as long as it holds.
void KnownItems::look_up(std::span<const Interner::Id> items, std::int64_t step) {
  unknown_.clear();
  for (const Interner::Id item : items) {
    if (item != Interner::none && !known_[item].knows_acting(step)) unknown_.push_back(item);
  }
  if (unknown_.empty()) return;
  const std::vector<std::uint32_t>& number_of = *popularity_.number_of;
  for (const Interner::Id item : unknown_) fetch_ahead(&number_of[item]);
  for (const Interner::Id item : unknown_) popularity_.table->prefetch(number_of[item], 0);
  for (const Interner::Id item : unknown_) popularity_.table->prefetch(number_of[item], 1);
  for (const Interner::Id item : unknown_) {
    known_[item].set_acting(step, popularity_.table->lasting_users_of(number_of[item], step));
  }
}

// Finds out which of the list's items its user had acted on before.
void KnownItems::look_back(const ListView& list, const Interner& items) {
  acted_before_.clear();
  if (plan_.spec->join.key.is_nobody(list.user_id)) return;
  const UserKey user = user_key(list.user_id);
  for (const Interner::Id item : list.items) {
    const bool is_known = item != Interner::none && first_acts_->is_before(user, items.text(item), list.ts);
    acted_before_.push_back(is_known ? 1 : 0);
  }
}

ScoredList KnownItems::complete(const ListView& list, const ScoredList& score, const Interner& items) {
  ScoredList whole = score;
  const std::int64_t step = acting_ ? popularity_.table->step_of(list.ts) : 0;
  if (acting_) look_up(list.items, step);
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
  if (plan_.metrics.needs(ListPart::groups)) {
    groups_.clear();
    const std::uint32_t none = plan_.spec->catalog->groups.none;
    for (const Interner::Id item : list.items) groups_.push_back(item == Interner::none ? none : group_of_[item]);
    whole.groups = groups_;
  }
  if (first_acts_) {
    look_back(list, items);
    whole.known = acted_before_;
  }
  whole.latency_bucket = plan_.latency_bucket(list.labels);
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

}  // namespace recmeter
