#include "recmeter/join/list_pieces.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace recmeter {

namespace {

constexpr std::size_t first_slots = 4;

}  // namespace

WideHash SeenPieces::print(std::span<const std::uint32_t> items, std::uint32_t position) {
  while (!items.empty() && items.back() == ListPieces::none) items = items.first(items.size() - 1);
  return wide_hash(items, position);
}

bool SeenPieces::see(const WideHash& piece, EventTime ts, Duration same_list) {
  if (4 * (used_ + 1) > 3 * seen_.size()) make_room(ts, same_list);
  Seen& seen = slot(piece);
  const bool is_new = seen.last == minus_infinity;
  if (is_new) {
    seen.piece = piece;
    ++used_;
  }
  const EventTime before = std::exchange(seen.last, ts);
  return !is_new && ts - before < same_list;
}

SeenPieces::Seen& SeenPieces::slot(const WideHash& piece) {
  const std::size_t mask = seen_.size() - 1;
  std::size_t at = piece.low & mask;
  while (seen_[at].last != minus_infinity && seen_[at].piece != piece) at = (at + 1) & mask;
  return seen_[at];
}

// Of pieces that were seen too long ago none is kept.
void SeenPieces::make_room(EventTime ts, Duration same_list) {
  std::vector<Seen> kept = std::exchange(seen_, {});
  std::erase_if(kept, [&](const Seen& seen) { return seen.last == minus_infinity || ts - seen.last >= same_list; });
  seen_.resize(std::max(first_slots, std::bit_ceil(2 * (kept.size() + 1))));
  used_ = kept.size();
  for (const Seen& seen : kept) slot(seen.piece) = seen;
}

ListPieces ListPieces::of_whole(const PieceRule& rule, EventTime opened, EventTime last, std::span<const Item> items) {
  ListPieces pieces;
  pieces.began_ = opened;
  pieces.open({.ts = opened, .items = items});
  pieces.last_ = last;
  pieces.seen_.see(SeenPieces::print(items, 0), last, rule.same_list);
  return pieces;
}

ListPieces ListPieces::of_rows(const PieceRule& rule, EventTime opened, std::span<const Item> items,
                               std::span<const std::uint32_t> delays_ms) {
  ListPieces pieces;
  pieces.began_ = opened;
  pieces.opened_ = opened;
  pieces.last_ = opened;
  pieces.is_of_rows_ = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    pieces.places_.push_back({items[i], delays_ms[i]});
    if (items[i] == none) continue;
    const EventTime came = opened + Duration{delays_ms[i]};
    pieces.last_ = std::max(pieces.last_, came);
    pieces.seen_.see(SeenPieces::print(items.subspan(i, 1), static_cast<std::uint32_t>(i) + 1), came, rule.same_list);
  }
  return pieces;
}

ListPieces::Decision ListPieces::take(const PieceRule& rule, const Piece& piece, std::vector<std::uint32_t>& ranks) {
  ranks.clear();
  const bool is_in_use = last_ != minus_infinity && piece.ts - last_ < rule.same_list;
  if (!is_in_use) {
    began_ = piece.ts;
    seen_.clear();
  }
  last_ = piece.ts;
  const bool is_again = seen_.see(SeenPieces::print(piece.items, piece.position), piece.ts, rule.same_list);
  const auto repeats = [this](DuplicateReason reason) {
    is_plain_ = false;
    return Decision{Step::repeats, reason};
  };
  if (is_again) return repeats(DuplicateReason::again);
  const bool has_list = is_in_use && looks_at_list(rule, piece.ts);
  const bool is_row = piece.position != 0;
  if (has_list && is_row && is_shown_by_whole(piece)) return repeats(DuplicateReason::shown);
  if (has_list && piece.ts - opened_ < rule.assemble && (is_row || !piece.opens_its_own)) {
    const auto duplicate = is_row ? join(piece) : go_on(rule, piece, ranks);
    if (duplicate) return repeats(*duplicate);
    if (is_row) ranks.push_back(piece.position);
    is_plain_ = is_plain_ && is_row && is_of_rows_;
    return {Step::extends};
  }
  if (has_list && is_row && !is_held_by_another(piece)) return repeats(DuplicateReason::late_row);
  open(piece);
  is_plain_ = !is_in_use;
  return {Step::opens};
}

// [S3.35]. Whether the list opened last counts, or is too old to be known again from the look back.
bool ListPieces::looks_at_list(const PieceRule& rule, EventTime ts) const {
  const std::int64_t half = half_of(rule.same_list).ms;
  const std::int64_t cut = ts.ms / half * half;
  return opened_.ms >= cut || began_.ms >= cut - half;
}

// The row then says that an item of it came into view, by a rank that the page may count in a way of its own.
bool ListPieces::is_shown_by_whole(const Piece& row) const {
  return !is_of_rows_ && std::ranges::find(places_, row.items.front(), &Place::item) != places_.end();
}

// In a list of rows: then it is of another list that was shown under the same id.
bool ListPieces::is_held_by_another(const Piece& row) const {
  if (!is_of_rows_ || row.position > places_.size()) return false;
  const Item held = places_[row.position - 1].item;
  return held != none && held != row.items.front();
}

void ListPieces::open(const Piece& piece) {
  opened_ = piece.ts;
  places_before_ = std::exchange(places_, {});
  is_of_rows_ = piece.position != 0;
  if (is_of_rows_) {
    places_.resize(piece.position);
    places_.back() = {piece.items.front(), 0};
    return;
  }
  for (const Item item : piece.items) places_.push_back({item, 0});
  while (!places_.empty() && places_.back().item == none) places_.pop_back();
}

std::optional<DuplicateReason> ListPieces::join(const Piece& row) {
  if (places_.size() < row.position) places_.resize(row.position);
  Place& place = places_[row.position - 1];
  if (place.item != none) return DuplicateReason::taken;
  place = {row.items.front(), static_cast<std::uint32_t>((row.ts - opened_).ms)};
  return std::nullopt;
}

// A whole list brings the items that are new.
std::optional<DuplicateReason> ListPieces::go_on(const PieceRule& rule, const Piece& whole,
                                                 std::vector<std::uint32_t>& ranks) {
  std::vector<Item> known;
  for (const Place& place : places_) known.push_back(place.item);
  std::sort(known.begin(), known.end());
  ranks.assign(whole.items.size(), 0);
  std::size_t brings = 0;
  bool are_free = true;
  for (std::size_t i = 0; i < whole.items.size(); ++i) {
    if (whole.items[i] == none || std::binary_search(known.begin(), known.end(), whole.items[i])) continue;
    ranks[i] = static_cast<std::uint32_t>(i) + 1;
    ++brings;
    are_free = are_free && (i >= places_.size() || places_[i].item == none);
  }
  if (brings == 0) return DuplicateReason::nothing_new;
  if (!are_free) {
    if (places_.size() + brings > rule.list_items_max) return DuplicateReason::full;
    auto next = static_cast<std::uint32_t>(places_.size());
    for (std::uint32_t& rank : ranks) {
      if (rank != 0) rank = ++next;
    }
  }
  const std::uint32_t highest = *std::max_element(ranks.begin(), ranks.end());
  if (places_.size() < highest) places_.resize(highest);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != 0) places_[ranks[i] - 1] = {whole.items[i], static_cast<std::uint32_t>((whole.ts - opened_).ms)};
  }
  return std::nullopt;
}

bool opens_its_own(const JoinRule& rule, std::string_view opened_by, std::string_view user_id) {
  return stands_apart(rule, rule.key.not_users.contains(user_id), opened_by != user_id);
}

}  // namespace recmeter
