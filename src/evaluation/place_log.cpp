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
  const auto at = by_id_.try_emplace({user_of(*batch, event), list_id}).first;
  Known& known = at->second;
  const ListPieces::Decision decision = decide(known, *batch, event, items);
  if (decision.step == ListPieces::Step::repeats) return;
  if (decision.step == ListPieces::Step::extends) return put(*known.place, *batch, event);
  Entry& entry = *places_.emplace_back(std::make_unique<Entry>());
  entry.user = at->first.first;
  entry.place.ts = event.ts;
  entry.place.list_id = list_id;
  entry.place.batch = batch;
  entry.place.event = index;
  if (known.place != nullptr && known.place->ts == event.ts) {
    entry.place.twin = twin_after(known.place->twin);
  }
  known.place = &entry.place;
  by_user_[entry.user].push_back(&entry.place);
  ranks_.clear();
  if (event.kind == EventKind::row) ranks_.push_back(event.position);
  for (std::uint32_t rank = 1; event.kind != EventKind::row && rank <= event.item_count; ++rank) ranks_.push_back(rank);
  put(entry.place, *batch, event);
}

ListPieces::Decision PlaceLog::decide(Known& known, const EventBatch& batch, const Event& event, Interner& items) {
  piece_items_.clear();
  for (std::size_t i = 0; i < event.item_count; ++i) {
    const HashedText item = batch.hashed_item(event, i);
    piece_items_.push_back(item.text.empty() ? Interner::none : items.intern(item, event.ts));
  }
  ListPieces::Piece piece{
      .ts = event.ts, .items = piece_items_, .position = event.kind == EventKind::row ? event.position : 0};
  if (known.place != nullptr && known.place->batch != nullptr) {
    const EventBatch& opening = *known.place->batch;
    const std::string_view opened_by = opening.user_id(opening.events()[known.place->event]);
    piece.opens_its_own = opens_its_own(rule_, opened_by, batch.user_id(event));
  }
  return known.pieces.take(piece_rule_, piece, ranks_);
}

// The items that came with the event, to their ranks.
void PlaceLog::put(ListPlace& place, const EventBatch& batch, const Event& event) {
  if (!wants_.items) return;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i] == 0) continue;
    if (place.items.size() < ranks_[i]) place.items.resize(ranks_[i], Interner::none);
    place.items[ranks_[i] - 1] = piece_items_[i];
  }
  if (!wants_.propensities) return;
  const std::span<const double> propensities = batch.propensities(event);
  place.propensities.resize(place.items.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; event.has_propensities && i < ranks_.size(); ++i) {
    if (ranks_[i] != 0) place.propensities[ranks_[i] - 1] = propensities[i];
  }
}

ListPlace* PlaceLog::find(const EventBatch& batch, const Event& event) {
  const auto known = by_id_.find({user_of(batch, event), std::string(batch.list_id(event))});
  if (known == by_id_.end() || known->second.place == nullptr) return nullptr;
  ListPlace& place = *known->second.place;
  const bool is_in_time = event.ts == place.ts || event.ts - place.ts < rule_.assemble;
  return is_in_time && place.batch != nullptr ? &place : nullptr;
}

ListPlace* PlaceLog::place_of(bool is_nobody, std::string_view user, EventTime ts, std::string_view list_id,
                              std::optional<std::uint16_t> twin) {
  ListPlace* found = nullptr;
  visit(is_nobody, user, ts, ts + Duration{1}, [&](ListPlace& place) {
    if (!list_id.empty() && place.list_id != list_id) return;
    const bool is_it = list_id.empty() || (twin ? place.twin == *twin : found == nullptr);
    if (is_it) found = &place;
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
    return known.second.place == nullptr && known.second.pieces.last() + rule_.same_list <= w;
  });
}

}  // namespace recmeter
