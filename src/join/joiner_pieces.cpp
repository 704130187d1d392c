// Filing impressions: which list each opens, joins or continues. [S3.19] to [S3.22], [S3.31], [S3.32].
#include <algorithm>
#include <limits>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

namespace {

// The slot is that of the user of [S6]: the list's user where present and no placeholder, else the list id.
std::uint8_t slot_of_user(const EventBatch& batch, const Event& event, const JoinKey& key, std::uint64_t id_hash) {
  if (!event.nobody) return slot_of(event.key_hash);
  const std::string_view user = batch.user_id(event);
  const bool known = !user.empty() && !key.not_users.contains(user);
  return slot_of(known ? hash_id(user) : id_hash);
}

// The key under which a forgotten list is remembered: all placeholders are the same nobody.
std::pair<std::string, std::string> echo_key(bool nobody, std::string_view user_id, std::string_view list_id) {
  return {nobody ? std::string() : std::string(user_id), std::string(list_id)};
}

}  // namespace

std::optional<DuplicateReason> Joiner::add_impression(const EventBatch& batch, const Event& event) {
  std::optional<KnownPieces> known;
  if (!echoes_.empty()) {
    const auto echo = echoes_.find(echo_key(event.nobody, batch.user_id(event), batch.list_id(event)));
    if (echo != echoes_.end() && event.ts - echo->second.last() < rule_.same_list) {
      const ListPieces::Decision decision = echo->second.take(piece_rule_, piece_of(batch, event), ranks_);
      if (decision.step == ListPieces::Step::repeats) return decision.reason;
      RECMETER_CHECK(decision.step == ListPieces::Step::opens, "a list that is forgotten does not grow");
      known.emplace(std::move(echo->second));
      echoes_.erase(echo);
    }
  }
  const std::uint64_t id_hash = event.nobody ? event.key_hash : hash_id(batch.list_id(event));
  const TimelineTable::Index index = timeline_of(batch, event);
  const std::uint64_t found = find_list(timelines_.at(index), batch.list_id(event), id_hash);
  if (found != 0 && !known && event.ts - lists_.at(found - 1).last_seen < rule_.same_list) {
    const std::uint64_t before = found - 1;
    const bool is_same = is_as_shown(before, batch, event);
    KnownPieces* const known_before = is_same ? nullptr : &known_pieces(before);
    lists_.at(before).last_seen = event.ts;
    if (is_same) return DuplicateReason::again;
    KnownPieces& pieces = *known_before;
    ListPieces::Piece piece = piece_of(batch, event);
    piece.opens_its_own = opens_its_own(rule_, lists_.user_id(lists_.at(before)), batch.user_id(event));
    const ListPieces::Decision decision = pieces.list.take(piece_rule_, piece, ranks_);
    if (decision.step == ListPieces::Step::repeats) return decision.reason;
    if (decision.step == ListPieces::Step::extends) {
      extend_list(before, pieces, batch, event);
      return std::nullopt;
    }
    known.emplace(follow(before));
  }
  const std::uint64_t sequence = open_list(batch, event, index, id_hash);
  if (found != 0 && lists_.at(found - 1).ts == event.ts) {
    lists_.at(sequence).twin = twin_after(lists_.at(found - 1).twin);
  }
  if (event.kind == EventKind::row) {
    open_row(sequence, std::move(known), batch, event);
  } else {
    fill_list(sequence, batch, event);
    if (known) {
      lists_.at(sequence).has_pieces = true;
      pieces_.emplace(sequence, std::move(*known));
    }
  }
  finish_opening(sequence, index);
  return std::nullopt;
}

void Joiner::add_candidate(const EventBatch& place_batch, const Event& place, const EventBatch& batch,
                           const Event& candidate) {
  const std::uint64_t id_hash = place.nobody ? place.key_hash : hash_id(place_batch.list_id(place));
  const TimelineTable::Index index = timeline_of(place_batch, place);
  const std::uint64_t sequence = open_list(place_batch, place, index, id_hash);
  fill_list(sequence, batch, candidate);
  finish_opening(sequence, index);
}

ListPieces::Piece Joiner::piece_of(const EventBatch& batch, const Event& event) {
  piece_items_.clear();
  for (std::size_t i = 0; i < event.item_count; ++i) {
    const HashedText item = batch.hashed_item(event, i);
    piece_items_.push_back(item.text.empty() ? Interner::none : items_.intern(item, event.ts));
  }
  return {.ts = event.ts, .items = piece_items_, .position = event.kind == EventKind::row ? event.position : 0};
}

// Whether it is a whole list, and all that is known of the id is the same: by far the usual repetition.
bool Joiner::is_as_shown(std::uint64_t sequence, const EventBatch& batch, const Event& event) {
  const ListEntry& list = lists_.at(sequence);
  if (event.kind == EventKind::row || list.has_pieces || list.has_delays || list.length != event.item_count) return false;
  const ListPieces::Piece piece = piece_of(batch, event);
  return std::ranges::equal(piece.items, lists_.items(list));
}

// The pieces of a list, written down where nobody has needed them before.
Joiner::KnownPieces& Joiner::known_pieces(std::uint64_t sequence) {
  ListEntry& list = lists_.at(sequence);
  if (!list.has_pieces) {
    list.has_pieces = true;
    pieces_.emplace(sequence, KnownPieces(plain_pieces(list)));
  }
  return pieces_.at(sequence);
}

// Of a list beside which nothing is kept.
ListPieces Joiner::plain_pieces(const ListEntry& list) const {
  const std::span<const Interner::Id> items = lists_.items(list);
  return list.has_delays ? ListPieces::of_rows(piece_rule_, list.ts, items, lists_.delays(list))
                         : ListPieces::of_whole(piece_rule_, list.ts, list.last_seen, items);
}

// Another list of the id opens: this one has all its items, and its pieces are the other's.
Joiner::KnownPieces Joiner::follow(std::uint64_t sequence) {
  KnownPieces& known = pieces_.at(sequence);
  if (lists_.at(sequence).is_growing) write_items(sequence, known, known.list.places_before());
  KnownPieces moved(std::move(known.list));
  pieces_.erase(sequence);
  lists_.at(sequence).has_pieces = false;
  lists_.at(sequence).is_followed = true;
  return moved;
}

void Joiner::open_row(std::uint64_t sequence, std::optional<KnownPieces> known, const EventBatch& batch, const Event& event) {
  KnownPieces& pieces = pieces_.emplace(sequence, known ? std::move(*known) : KnownPieces(ListPieces())).first->second;
  if (!known) pieces.list.take(piece_rule_, piece_of(batch, event), ranks_);
  ListEntry& list = lists_.at(sequence);
  list.has_pieces = true;
  list.is_growing = true;
  note_place(sequence, pieces, batch, event, {.entry = 0, .rank = event.position});
}

void Joiner::extend_list(std::uint64_t sequence, KnownPieces& pieces, const EventBatch& batch, const Event& event) {
  ListEntry& list = lists_.at(sequence);
  const bool is_seen = options_.tells_changes && list.has_items;
  if (is_seen) observer_.growing(view(sequence));
  if (!list.is_growing) {
    for (std::uint32_t rank = 1; list.has_scores && rank <= list.length; ++rank) {
      pieces.scores.push_back(lists_.score(list, rank).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    const auto teams = lists_.teams(list);
    pieces.teams.assign(teams.begin(), teams.end());
    list.is_growing = true;
  }
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i] != 0) note_place(sequence, pieces, batch, event, {.entry = i, .rank = ranks_[i]});
  }
  if (!is_seen) return;
  write_items(sequence, pieces, pieces.list.places());
  grown_.assign(pieces.list.places().size(), Interner::none);
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i] != 0) grown_[ranks_[i] - 1] = piece_items_[i];
  }
  observer_.grown(view(sequence), grown_);
}

// What the event says of the item that came to the rank.
void Joiner::note_place(std::uint64_t sequence, KnownPieces& pieces, const EventBatch& batch, const Event& event,
                        Placing placing) {
  const auto [entry, rank] = placing;
  if (keeps_scores() && event.has_scores) {
    if (pieces.scores.size() < rank) pieces.scores.resize(rank, std::numeric_limits<double>::quiet_NaN());
    pieces.scores[rank - 1] = batch.scores(event)[entry];
  }
  if (!options_.teams.empty() && event.has_teams) {
    if (pieces.teams.size() < rank) pieces.teams.resize(rank, 0);
    pieces.teams[rank - 1] = team_of(batch, event, entry);
  }
  const Timeline& timeline = timelines_.at(lists_.at(sequence).timeline);
  if (timeline.heavy != Timeline::not_heavy) heavy_[timeline.heavy]->add_items(sequence, {&piece_items_[entry], 1});
}

// No piece comes to the list any more.
void Joiner::settle_pieces(std::uint64_t sequence) {
  KnownPieces& pieces = pieces_.at(sequence);
  if (lists_.at(sequence).is_growing) write_items(sequence, pieces, pieces.list.places());
  if (!pieces.list.is_plain()) return;
  pieces_.erase(sequence);
  lists_.at(sequence).has_pieces = false;
}

void Joiner::write_items(std::uint64_t sequence, KnownPieces& pieces, std::span<const ListPieces::Place> places) {
  ListEntry& list = lists_.at(sequence);
  const bool is_first = !list.has_items;
  const std::size_t length = places.size();
  if (!pieces.scores.empty()) pieces.scores.resize(length, std::numeric_limits<double>::quiet_NaN());
  if (!pieces.teams.empty()) pieces.teams.resize(length, 0);
  const std::span words = lists_.make_items(sequence, length, true, {.scores = pieces.scores, .teams = pieces.teams});
  for (std::size_t i = 0; i < length; ++i) {
    words[i] = places[i].item;
    words[length + i] = places[i].delay_ms;
  }
  list.is_growing = false;
  pieces.scores = {};
  pieces.teams = {};
  if (options_.tells_changes && is_first) observer_.shown(view(sequence));
}

std::uint64_t Joiner::open_list(const EventBatch& batch, const Event& event, TimelineTable::Index index,
                                std::uint64_t id_hash) {
  Timeline& timeline = timelines_.at(index);
  const std::uint64_t sequence = lists_.open(event.ts, batch.list_id(event), batch.user_id(event));
  ListEntry& entry = lists_.at(sequence);
  entry.older = timeline.newest_list;
  entry.timeline = index;
  entry.id_tag = static_cast<std::uint32_t>(id_hash);
  entry.slot = slot_of_user(batch, event, rule_.key, id_hash);
  timeline.newest_list = sequence + 1;
  ++timeline.lists;
  const bool has_before = entry.older != 0 && !timeline.nobody;
  const auto before = has_before ? lists_.labels(lists_.at(entry.older - 1)) : std::span<std::uint32_t>();
  observer_.label(batch, event, lists_.labels(entry), before);
  if (timeline.heavy != Timeline::not_heavy) heavy_[timeline.heavy]->add_list(sequence, id_hash);
  return sequence;
}

// Of a whole list.
void Joiner::fill_list(std::uint64_t sequence, const EventBatch& batch, const Event& event) {
  const auto scores = keeps_scores() ? batch.scores(event) : std::span<const double>();
  teams_.clear();
  for (std::size_t i = 0; !options_.teams.empty() && event.has_teams && i < event.item_count; ++i) {
    teams_.push_back(team_of(batch, event, i));
  }
  const std::span<Interner::Id> items =
      lists_.make_items(sequence, event.item_count, false, {.scores = scores, .teams = teams_});
  for (std::size_t i = 0; i < event.item_count; ++i) {
    const HashedText item = batch.hashed_item(event, i);
    items[i] = item.text.empty() ? Interner::none : items_.intern(item, event.ts);
  }
  const Timeline& timeline = timelines_.at(lists_.at(sequence).timeline);
  if (timeline.heavy != Timeline::not_heavy) heavy_[timeline.heavy]->add_items(sequence, items);
}

void Joiner::finish_opening(std::uint64_t sequence, TimelineTable::Index index) {
  Timeline& timeline = timelines_.at(index);
  if (timeline.heavy == Timeline::not_heavy && timeline.lists >= heavy_lists) make_heavy(timeline);
  if (options_.tells_changes && lists_.at(sequence).has_items) observer_.shown(view(sequence));
}

// A list is forgotten, and its id is still in use.
void Joiner::remember_id(std::uint64_t sequence, bool nobody) {
  const ListEntry& list = lists_.at(sequence);
  ListPieces pieces = list.has_pieces ? std::move(pieces_.at(sequence).list) : plain_pieces(list);
  echoes_.insert_or_assign(echo_key(nobody, lists_.user_id(list), lists_.list_id(list)), std::move(pieces));
}

}  // namespace recmeter
