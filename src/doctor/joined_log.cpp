#include "doctor/joined_log.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "recmeter/join/list_pieces.h"

namespace recmeter::doctor {
namespace {

// A user's lists before and behind an action that may hold its item.
constexpr std::int64_t back_ms = 8 * one_day.ms;
constexpr std::int64_t ahead_ms = 14 * one_hour.ms;
constexpr std::size_t lists_looked_at = 500;

void sort_unique(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

bool ShownList::has_hole() const {
  return std::find(items.begin(), items.end(), Sample::no_item) != items.end();
}

JoinedLog::JoinedLog(const Sample& sample, const JoinRule& rule) : sample_(sample), rule_(rule) {
  add_lists();
  std::ranges::sort(late_items_);
  std::stable_sort(lists_.begin(), lists_.end(), [](const auto& a, const auto& b) { return a.first->ts < b.first->ts; });
  for (std::uint32_t i = 0; i < lists_.size(); ++i) {
    const SeenList& list = *lists_[i].first;
    by_id_.push_back(i);
    by_user_.push_back(i);
    id_forms_.push_back(list.id.form);
    if (list.nobody) continue;
    users_.push_back(list.user.raw);
    user_forms_.push_back(list.user.form);
  }
  const auto sort_by = [&](std::vector<std::uint32_t>& order, SeenId SeenList::* id) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (lists_[a].first->*id).raw < (lists_[b].first->*id).raw;
    });
  };
  sort_by(by_id_, &SeenList::id);
  sort_by(by_user_, &SeenList::user);
  for (auto* values : {&id_forms_, &users_, &user_forms_}) sort_unique(*values);
  std::vector<const SeenAction*> actions;
  for (const SeenAction& action : sample_.actions()) {
    if (!action.duplicate) actions.push_back(&action);
  }
  std::stable_sort(actions.begin(), actions.end(), [](const auto* a, const auto* b) { return a->ts < b->ts; });
  for (const SeenAction* action : actions) join(*action);
}

bool JoinedLog::is_list_user(std::uint64_t raw) const {
  return std::binary_search(users_.begin(), users_.end(), raw);
}

bool JoinedLog::is_list_user_form(std::uint64_t form) const {
  return std::binary_search(user_forms_.begin(), user_forms_.end(), form);
}

void JoinedLog::add_lists() {
  std::vector<const SeenList*> pieces;
  for (const SeenList& list : sample_.lists()) pieces.push_back(&list);
  const auto key = [](const SeenList* piece) { return std::tuple(piece->id.raw, piece->nobody ? 0 : piece->user.raw); };
  std::stable_sort(pieces.begin(), pieces.end(),
                   [&](const auto* a, const auto* b) { return std::tuple(key(a), a->ts) < std::tuple(key(b), b->ts); });
  for (std::size_t begin = 0; begin < pieces.size();) {
    std::size_t end = begin + 1;
    while (end < pieces.size() && key(pieces[end]) == key(pieces[begin])) ++end;
    add_pieces(std::span(pieces).subspan(begin, end - begin));
    begin = end;
  }
}

// How long the list under one id has grown, if the new one begins with it. Both are whole.
Duration grown_for(const JoinRule& rule, const ShownList& list, std::int64_t ts, std::span<const std::uint32_t> items) {
  const Duration since{ts - list.first->ts};
  const bool goes_on = items.size() > list.items.size() && !list.items.empty() && since < rule.same_list &&
                       std::equal(list.items.begin(), list.items.end(), items.begin());
  return goes_on ? list.grown_for + since : Duration{};
}

// The pieces are those of one user and list id. Rows that come too late for the list make it longer, and leave their ranks
// empty.
void JoinedLog::add_pieces(std::span<const SeenList* const> pieces) {
  const PieceRule rule(rule_, std::numeric_limits<std::uint32_t>::max());
  ListPieces known;
  std::vector<std::uint32_t> items;
  std::vector<std::uint32_t> ranks;
  bool has_list = false;
  for (const SeenList* seen : pieces) {
    if (seen->by_row && seen->position == 0) continue;
    items.clear();
    for (const std::uint32_t item : sample_.items(*seen)) items.push_back(item == Sample::no_item ? ListPieces::none : item);
    ListPieces::Piece piece{.ts = EventTime{seen->ts}, .items = items, .position = seen->by_row ? seen->position : 0};
    piece.opens_its_own =
        stands_apart(rule_, seen->stands_for_many, has_list && lists_.back().first->user.raw != seen->user.raw);
    const ListPieces::Decision decision = known.take(rule, piece, ranks);
    if (decision.step == ListPieces::Step::opens) {
      const bool may_grow = has_list && !seen->by_row && !lists_.back().first->by_row;
      const Duration grown = may_grow ? grown_for(rule_, lists_.back(), seen->ts, sample_.items(*seen)) : Duration{};
      lists_.push_back({.first = seen, .items = {}, .grown_for = grown});
      has_list = true;
      for (const ListPieces::Place& place : known.places()) {
        lists_.back().items.push_back(place.item == ListPieces::none ? Sample::no_item : place.item);
      }
      continue;
    }
    ShownList& list = lists_.back();
    if (seen->by_row && list.items.size() < seen->position) list.items.resize(seen->position, Sample::no_item);
    if (decision.step == ListPieces::Step::repeats) {
      list.has_clash = list.has_clash || decision.reason == DuplicateReason::taken;
      if (decision.reason == DuplicateReason::late_row) {
        late_rows_.push_back(EventTime{seen->ts} - known.opened());
        late_items_.emplace_back(list.first, sample_.items(*seen).front());
      }
      continue;
    }
    list.was_continued = list.was_continued || !seen->by_row;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] == 0) continue;
      if (list.items.size() < ranks[i]) list.items.resize(ranks[i], Sample::no_item);
      list.items[ranks[i] - 1] = items[i];
    }
  }
}

std::span<const std::uint32_t> JoinedLog::lists_of(std::uint64_t user) const {
  const auto raw = [&](std::uint32_t list) { return lists_[list].first->user.raw; };
  const auto begin = std::partition_point(by_user_.begin(), by_user_.end(), [&](auto list) { return raw(list) < user; });
  const auto end = std::partition_point(begin, by_user_.end(), [&](auto list) { return raw(list) == user; });
  return {begin, end};
}

// The user's newest list until then that holds the item, else the first one after; -1: none.
std::int64_t JoinedLog::list_with(std::uint64_t user, std::uint32_t item, std::int64_t ts) const {
  const auto lists = lists_of(user);
  const auto holds = [&](std::uint32_t list) {
    return std::find(lists_[list].items.begin(), lists_[list].items.end(), item) != lists_[list].items.end();
  };
  const auto ts_of = [&](std::uint32_t list) { return lists_[list].first->ts; };
  const auto after =
      std::partition_point(lists.begin(), lists.end(), [&](auto list) { return ts_of(list) <= ts + rule_.skew.ms; });
  std::size_t looked_at = 0;
  for (auto at = after; at != lists.begin() && looked_at < lists_looked_at; ++looked_at) {
    --at;
    if (ts_of(*at) < ts - back_ms) break;
    if (holds(*at)) return *at;
  }
  looked_at = 0;
  for (auto at = after; at != lists.end() && ts_of(*at) < ts + ahead_ms && looked_at < lists_looked_at; ++at, ++looked_at) {
    if (holds(*at)) return *at;
  }
  return -1;
}

std::int64_t JoinedLog::next_list_with(const SeenAction& action) const {
  if (action.nobody) return -1;
  const auto lists = lists_of(action.user.raw);
  const auto ts_of = [&](std::uint32_t list) { return lists_[list].first->ts; };
  const auto after = std::partition_point(lists.begin(), lists.end(), [&](auto list) { return ts_of(list) <= action.ts; });
  const auto end = after + std::min<std::ptrdiff_t>(lists.end() - after, lists_looked_at);
  const auto at = std::find_if(after, end, [&](auto list) {
    const auto& items = lists_[list].items;
    return std::find(items.begin(), items.end(), action.item) != items.end();
  });
  return at == end || ts_of(*at) >= action.ts + back_ms ? -1 : static_cast<std::int64_t>(*at);
}

std::span<const std::uint32_t> JoinedLog::lists_with_id(std::uint64_t id) const {
  const auto raw = [&](std::uint32_t list) { return lists_[list].first->id.raw; };
  const auto begin = std::partition_point(by_id_.begin(), by_id_.end(), [&](auto list) { return raw(list) < id; });
  const auto end = std::partition_point(begin, by_id_.end(), [&](auto list) { return raw(list) == id; });
  return {begin, end};
}

// The newest list of that id until then, the user's first; else the first one after.
void JoinedLog::join_named(JoinedAction& joined) const {
  const SeenAction& action = *joined.action;
  const auto lists = lists_with_id(action.list.raw);
  joined.is_known = !lists.empty();
  joined.id_form_known = std::binary_search(id_forms_.begin(), id_forms_.end(), action.list.form);
  std::tuple<bool, bool, bool, std::int64_t> best{};
  for (const std::uint32_t at : lists) {
    const ShownList& list = lists_[at];
    const bool of_user = list.first->nobody || action.nobody || list.first->user.raw == action.user.raw;
    const bool until_then = list.first->ts <= action.ts + rule_.skew.ms;
    const bool holds = std::find(list.items.begin(), list.items.end(), action.item) != list.items.end();
    const std::tuple quality(of_user, holds, until_then, until_then ? list.first->ts : -list.first->ts);
    if (joined.list >= 0 && quality <= best) continue;
    best = quality;
    joined.list = at;
    joined.is_of_user = of_user;
  }
}

void JoinedLog::join_by_user(JoinedAction& joined) const {
  if (joined.action->nobody) return;
  joined.list = list_with(joined.action->user.raw, joined.action->item, joined.action->ts);
}

bool JoinedLog::was_shown(const SeenAction& action, std::uint64_t item, Duration reach) const {
  SeenAction of_item = action;
  of_item.item = sample_.find_item(item);
  if (of_item.item == Sample::no_item) return false;
  JoinedAction joined{.action = &of_item, .delay = {}};
  if (joined.is_named()) join_named(joined);
  if (joined.list < 0) join_by_user(joined);
  if (joined.list < 0) return false;
  const ShownList& list = lists_[static_cast<std::size_t>(joined.list)];
  const Duration delay{action.ts - list.first->ts};
  const bool holds = std::find(list.items.begin(), list.items.end(), of_item.item) != list.items.end();
  return holds && joined.is_of_user && delay.ms >= -rule_.skew.ms && delay < reach;
}

void JoinedLog::join(const SeenAction& action) {
  JoinedAction joined{.action = &action, .delay = {}};
  if (joined.is_named()) {
    if (!sample_.has(action.list.form)) return;
    join_named(joined);
  } else {
    if (!sample_.has(action.user.form)) return;
    join_by_user(joined);
  }
  if (joined.list >= 0) {
    const ShownList& list = lists_[static_cast<std::size_t>(joined.list)];
    joined.delay = Duration{action.ts - list.first->ts};
    const auto at = std::find(list.items.begin(), list.items.end(), action.item);
    joined.in_list = at != list.items.end();
    joined.rank = joined.in_list ? static_cast<std::uint32_t>(at - list.items.begin()) + 1 : 0;
    if (!joined.in_list) {
      joined.came_late = std::ranges::binary_search(late_items_, std::pair(list.first, action.item));
      joined.form_in_list = std::any_of(list.items.begin(), list.items.end(), [&](std::uint32_t item) {
        return item != Sample::no_item && sample_.form_of(item) == sample_.form_of(action.item);
      });
      if (!action.nobody) joined.elsewhere = list_with(action.user.raw, action.item, action.ts);
    }
  }
  actions_.push_back(joined);
}

}  // namespace recmeter::doctor
