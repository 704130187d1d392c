#include "recmeter/evaluation/place_log.h"

#include <algorithm>
#include <limits>

namespace recmeter {

PlaceLog::User PlaceLog::user_of(const EventBatch& batch, const Event& event) {
  return {event.nobody, std::string(event.nobody ? batch.list_id(event) : batch.user_id(event))};
}

void PlaceLog::add(const std::shared_ptr<const EventBatch>& batch, std::uint32_t index, Interner& items) {
  const Event& event = batch->events()[index];
  const std::string list_id(batch->list_id(event));
  const auto [known, is_new] = by_id_.try_emplace({user_of(*batch, event), list_id}, Known{nullptr, event.ts});
  if (!is_new && event.ts - known->second.last_seen < rule_.same_list) {
    known->second.last_seen = event.ts;
    if (known->second.place != nullptr) add_row(*known->second.place, *batch, event, items);
    return;
  }
  Entry& entry = *places_.emplace_back(std::make_unique<Entry>());
  entry.user = known->first.first;
  entry.place.ts = event.ts;
  entry.place.list_id = list_id;
  entry.place.batch = batch;
  entry.place.event = index;
  known->second = {&entry.place, event.ts};
  by_user_[entry.user].push_back(&entry.place);
  if (event.kind == EventKind::row) return add_row(entry.place, *batch, event, items);
  if (wants_.propensities) {
    const std::span<const double> propensities = batch->propensities(event);
    entry.place.propensities.assign(propensities.begin(), propensities.end());
  }
  for (std::size_t i = 0; wants_.items && i < event.item_count; ++i) {
    const HashedText item = batch->hashed_item(event, i);
    entry.place.items.push_back(item.text.empty() ? Interner::none : items.intern(item, event.ts));
  }
}

// As Joiner::join_row(): the first row at a rank counts, of a list that a row opened.
void PlaceLog::add_row(ListPlace& place, const EventBatch& batch, const Event& event, Interner& items) {
  const bool is_open = place.batch != nullptr && place.batch->events()[place.event].kind == EventKind::row;
  if (!wants_.items || event.kind != EventKind::row || !is_open) return;
  const bool opens = place.items.empty();  // and has its place, however short assembly is
  if (!opens && event.ts - place.ts >= rule_.assemble) return;
  if (place.items.size() < event.position) place.items.resize(event.position, Interner::none);
  Interner::Id& item = place.items[event.position - 1];
  if (item != Interner::none) return;
  item = items.intern(batch.hashed_item(event, 0), event.ts);
  if (!wants_.propensities) return;
  place.propensities.resize(place.items.size(), std::numeric_limits<double>::quiet_NaN());
  if (event.has_propensities) place.propensities[event.position - 1] = batch.propensities(event).front();
}

ListPlace* PlaceLog::find(const EventBatch& batch, const Event& event) {
  const auto known = by_id_.find({user_of(batch, event), std::string(batch.list_id(event))});
  if (known == by_id_.end() || known->second.place == nullptr) return nullptr;
  ListPlace& place = *known->second.place;
  const bool is_in_time = event.ts == place.ts || event.ts - place.ts < rule_.assemble;
  return is_in_time && place.batch != nullptr ? &place : nullptr;
}

ListPlace* PlaceLog::place_of(bool nobody, std::string_view user, EventTime ts, std::string_view list_id) {
  ListPlace* found = nullptr;
  visit(nobody, user, ts, ts + Duration{1}, [&](ListPlace& place) {
    if (list_id.empty() || place.list_id == list_id) found = &place;
  });
  return found;
}

void PlaceLog::forget(EventTime w) {
  if (w == plus_infinity) return;  // all that is left is asked for once more
  for (; fillable_from_ < places_.size(); ++fillable_from_) {
    ListPlace& place = places_[fillable_from_]->place;
    if (place.ts + std::max(rule_.assemble, Duration{1}) > w) break;
    place.batch.reset();
  }
  while (fillable_from_ > 0 && places_.front()->place.ts + memory_ <= w) {
    const Entry& oldest = *places_.front();
    const auto known = by_id_.find({oldest.user, oldest.place.list_id});
    if (known != by_id_.end() && known->second.place == &oldest.place) known->second.place = nullptr;
    const auto of_user = by_user_.find(oldest.user);
    of_user->second.pop_front();
    if (of_user->second.empty()) by_user_.erase(of_user);
    places_.pop_front();
    --fillable_from_;
  }
  if (w < next_sweep_) return;
  next_sweep_ = w + std::max(rule_.same_list, Duration{1});
  std::erase_if(by_id_, [&](const auto& known) {
    return known.second.place == nullptr && known.second.last_seen + rule_.same_list <= w;
  });
}

}  // namespace recmeter
