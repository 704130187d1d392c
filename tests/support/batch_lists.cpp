#include "support/batch_lists.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>

#include "recmeter/event/duplicate_reason.h"

namespace recmeter::support {
namespace {

class Acceptance {
 public:
  Acceptance(const EvaluatorSpec& spec, std::size_t partitions) : spec_(spec), order_(spec.join.actions) {
    out_.partitions.resize(partitions);
  }

  AcceptedEvents run(std::vector<BatchEvent> candidates) {
    std::vector<const BatchEvent*> impressions;
    std::vector<const BatchEvent*> feedback;
    for (const BatchEvent& event : candidates) {
      (event.kind == BatchEvent::Kind::feedback ? feedback : impressions).push_back(&event);
    }
    accept_impressions(std::move(impressions));
    accept_feedback(feedback);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string owner(const BatchEvent& event) const { return owner_of(event, spec_.join.key); }

  // "Take the whole impressions and rows of one (user, list id), in the order of [S2.26]."
  void accept_impressions(std::vector<const BatchEvent*> events) {
    std::sort(events.begin(), events.end(), [this](const BatchEvent* a, const BatchEvent* b) {
      if (const int by = a->list_id.compare(b->list_id); by != 0) return by < 0;
      if (const int by = owner(*a).compare(owner(*b)); by != 0) return by < 0;
      return order_(*a, *b);
    });
    for (std::size_t begin = 0; begin < events.size();) {
      std::size_t end = begin + 1;
      while (end < events.size() && events[end]->list_id == events[begin]->list_id &&
             owner(*events[end]) == owner(*events[begin]))
        ++end;
      accept_pieces(std::span(events).subspan(begin, end - begin));
      begin = end;
    }
  }

  void accept_pieces(std::span<const BatchEvent* const> pieces) {
    const BatchEvent* opener = nullptr;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const BatchEvent& event = *pieces[i];
      if (is_again(pieces, i)) {
        count_duplicate(event, DuplicateReason::again);
        continue;
      }
      const bool is_first = i == 0 || event.ts - pieces[i - 1]->ts >= spec_.join.same_list.ms;
      const bool is_row = event.kind == BatchEvent::Kind::row;
      if (is_first || is_forgotten(pieces, i, out_.lists.back().ts)) {
        open_list(event);
        opener = &event;
      } else if (is_row && is_in_whole(out_.lists.back(), event)) {
        count_duplicate(event, DuplicateReason::shown);
      } else if (event.ts - out_.lists.back().ts < spec_.join.assemble.ms && (is_row || may_continue(*opener, event))) {
        is_row ? join_list(event) : continue_list(event);
      } else if (!is_row || holds_another(out_.lists.back(), event)) {
        open_list(event);
        opener = &event;
      } else {
        count_duplicate(event, DuplicateReason::late_row);
      }
    }
  }

  // "One that an equal one, duplicates included, precedes by less than same_list". [S3.22]
  [[nodiscard]] bool is_again(std::span<const BatchEvent* const> pieces, std::size_t at) const {
    for (std::size_t i = at; i-- > 0 && pieces[at]->ts - pieces[i]->ts < spec_.join.same_list.ms;) {
      const BatchEvent& a = *pieces[i];
      const BatchEvent& b = *pieces[at];
      if (a.kind == b.kind && a.items == b.items && a.position == b.position) return true;
    }
    return false;
  }

  // "c is the last whole multiple of half of same_list, rounded up, at or before it. A list that opened before c does not
  // count where the id has been in use, without a break of same_list, since before c less as much." [S3.35]
  [[nodiscard]] bool is_forgotten(std::span<const BatchEvent* const> pieces, std::size_t at, std::int64_t opened) const {
    const std::int64_t half = (spec_.join.same_list.ms + 1) / 2;
    const std::int64_t cut = pieces[at]->ts - pieces[at]->ts % half;
    std::size_t began = at;
    while (began > 0 && pieces[began]->ts - pieces[began - 1]->ts < spec_.join.same_list.ms) --began;
    return opened < cut && pieces[began]->ts < cut - half;
  }

  // [S3.20]: "for users in not_users, and with key: list where its user_id is not that of the opening event, it opens".
  [[nodiscard]] bool may_continue(const BatchEvent& opener, const BatchEvent& event) const {
    if (spec_.join.whole_lists == WholeLists::own || spec_.join.key.not_users.contains(event.user_id)) return false;
    return spec_.join.key.by == JoinKey::By::user || opener.user_id == event.user_id;
  }

  // "a row whose item stands in L, which a whole impression opened". [S3.20]
  [[nodiscard]] bool is_in_whole(const BatchList& list, const BatchEvent& row) {
    const ItemNumber item = number(row.items.front());
    return !list.is_of_rows && std::ranges::any_of(list.ranks, [&](const ShownItem& at) { return at.item == item; });
  }

  // "if a row opened L, and another item of L holds its position". [S3.31]
  [[nodiscard]] bool holds_another(const BatchList& list, const BatchEvent& row) {
    if (!list.is_of_rows) return false;
    const std::optional<ItemNumber> there =
        row.position <= list.ranks.size() ? list.ranks[row.position - 1].item : std::nullopt;
    return there && *there != number(row.items.front());
  }

  // "A whole impression continues L with its new items, those that no event before it brought." [S3.20]
  void continue_list(const BatchEvent& event) {
    BatchList& list = out_.lists.back();
    const auto is_new = [&](const std::string& item) {
      return !item.empty() && std::ranges::none_of(list.ranks, [&](const ShownItem& at) { return at.item == number(item); });
    };
    std::vector<std::size_t> brought;
    for (std::size_t i = 0; i < event.items.size(); ++i) {
      if (is_new(event.items[i])) brought.push_back(i);
    }
    if (brought.empty()) return count_duplicate(event, DuplicateReason::nothing_new);
    const bool are_free =
        std::ranges::all_of(brought, [&](std::size_t rank) { return rank >= list.ranks.size() || !list.ranks[rank].item; });
    const std::size_t n = list.ranks.size();
    if (!are_free && n + brought.size() > spec_.limits.list_items) return count_duplicate(event, DuplicateReason::full);
    for (std::size_t i = 0; i < brought.size(); ++i) {
      const std::size_t from = brought[i];
      const std::size_t to = are_free ? from : n + i;
      if (list.ranks.size() <= to) list.ranks.resize(to + 1);
      ShownItem& at = list.ranks[to] = {number(event.items[from]), event.ts};
      if (from < event.scores.size() && !std::isnan(event.scores[from])) at.score = event.scores[from];
      if (from < event.teams.size()) at.team = event.teams[from];
      if (from < event.propensities.size()) at.propensity = event.propensities[from];
    }
    count_impression(event);
  }

  void open_list(const BatchEvent& event) {
    BatchList& list = out_.lists.emplace_back();
    list.owner = owner(event);
    list.list_id = event.list_id;
    list.ts = event.ts;
    list.segments = event.segments;
    list.latency = event.latency;
    list.opened_by = canonical_text(event, spec_.join.actions);
    // "The user of [S6] is the user id of the list where present and no placeholder, else the list id."
    const bool placeholder = event.user_id.empty() || spec_.join.key.not_users.contains(event.user_id);
    list.user = placeholder ? event.list_id : event.user_id;
    list.group = static_cast<std::uint8_t>(XXH3_64bits(list.user.data(), list.user.size()) >> 58);
    list.is_of_rows = event.kind == BatchEvent::Kind::row;
    if (list.is_of_rows) {
      place(list, event);
    } else {
      for (const std::string& item : event.items) list.ranks.push_back({number(item), event.ts});
      for (std::size_t i = 0; i < event.scores.size(); ++i) {
        if (!std::isnan(event.scores[i])) list.ranks[i].score = event.scores[i];
      }
      for (std::size_t i = 0; i < event.teams.size(); ++i) list.ranks[i].team = event.teams[i];
      for (std::size_t i = 0; i < event.propensities.size(); ++i) list.ranks[i].propensity = event.propensities[i];
    }
    count_impression(event);
  }

  // "a row joins L if its position is free". [S3.20]
  void join_list(const BatchEvent& event) {
    BatchList& list = out_.lists.back();
    if (event.position <= list.ranks.size() && list.ranks[event.position - 1].item) {
      return count_duplicate(event, DuplicateReason::taken);
    }
    place(list, event);
    count_impression(event);
  }

  void place(BatchList& list, const BatchEvent& row) {
    if (list.ranks.size() < row.position) list.ranks.resize(row.position);
    list.ranks[row.position - 1] = {number(row.items.front()), row.ts};
    if (!row.scores.empty()) list.ranks[row.position - 1].score = row.scores.front();
    if (!row.teams.empty()) list.ranks[row.position - 1].team = row.teams.front();
    if (!row.propensities.empty()) list.ranks[row.position - 1].propensity = row.propensities.front();
  }

  void count_duplicate(const BatchEvent& event, DuplicateReason reason) {
    ++out_.partitions[event.partition].duplicates[static_cast<std::size_t>(reason)];
  }

  void count_impression(const BatchEvent& event) {
    ++out_.partitions[event.partition].impressions;
    note_time(event.ts);
  }

  // "Feedback equal in every field but value is one event, the first in order." [S3.24]: user ids as they stand.
  static bool same_feedback(const BatchEvent& a, const BatchEvent& b) {
    return a.ts == b.ts && a.action == b.action && a.user_id == b.user_id && a.items == b.items && a.list_id == b.list_id &&
           a.event_id == b.event_id;
  }

  // [S3.34]: "Entries of one basket that are equal but for `value` are one feedback with the sum of the values".
  std::vector<BatchEvent> without_lines(const std::vector<const BatchEvent*>& events) {
    std::map<std::tuple<std::size_t, std::size_t, std::string>, std::vector<const BatchEvent*>> baskets;
    for (const BatchEvent* event : events) {
      baskets[{event->partition, event->record, event->items.front()}].push_back(event);
    }
    std::vector<BatchEvent> summed;
    for (auto& [of, lines] : baskets) {
      std::ranges::sort(lines, {}, &BatchEvent::place);
      summed.push_back(*lines.front());
      summed.back().value = total(lines);
      for (std::size_t i = 1; i < lines.size(); ++i) count_duplicate(*lines[i], DuplicateReason::line);
    }
    return summed;
  }

  // [S3.33]: of events in order, all of one action with `once`, user id as written, item, event id and, of nobody, list id.
  struct OnceKey {
    std::size_t action;
    std::string user_id, item, event_id, list_id;
    friend auto operator<=>(const OnceKey&, const OnceKey&) = default;
  };
  bool came_before(const BatchEvent& event) {
    if (!spec_.join.actions[event.action].once || event.event_id.empty()) return false;
    const std::string list_id = owner(event).empty() ? event.list_id : "";
    std::vector<std::int64_t>& times = times_[{event.action, event.user_id, event.items.front(), event.event_id, list_id}];
    const std::int64_t longest = std::ranges::max(spec_.join.horizons).ms + spec_.join.skew.ms;
    const bool is_near = std::ranges::any_of(times, [&](std::int64_t ts) { return event.ts - ts < longest; });
    times.push_back(event.ts);
    return is_near;
  }

  void accept_feedback(const std::vector<const BatchEvent*>& logged) {
    const std::vector<BatchEvent> summed = without_lines(logged);
    std::vector<const BatchEvent*> events;
    for (const BatchEvent& event : summed) events.push_back(&event);
    std::sort(events.begin(), events.end(), [this](const BatchEvent* a, const BatchEvent* b) { return order_(*a, *b); });
    std::vector<const BatchEvent*> of_moment;
    for (const BatchEvent* event : events) {
      if (!of_moment.empty() && of_moment.front()->ts != event->ts) of_moment.clear();
      const bool is_once = came_before(*event);
      const bool is_again = std::ranges::any_of(of_moment, [&](const auto* other) { return same_feedback(*other, *event); });
      of_moment.push_back(event);
      if (is_again || is_once) {
        count_duplicate(*event, is_again ? DuplicateReason::again : DuplicateReason::once);
        continue;
      }
      ++out_.partitions[event->partition].feedback;
      note_time(event->ts);
      out_.feedback.push_back(
          {owner(*event), event->list_id, number(event->items.front()), event->action, event->ts, event->value});
    }
  }

  void note_time(std::int64_t ts) { out_.first_time = std::min(out_.first_time.value_or(ts), ts); }

  ItemNumber number(const std::string& item) {
    const auto [entry, is_new] = numbers_.try_emplace(item, static_cast<ItemNumber>(out_.item_ids.size()));
    if (is_new) out_.item_ids.push_back(item);
    return entry->second;
  }

  const EvaluatorSpec& spec_;
  EventOrder order_;
  AcceptedEvents out_;
  std::unordered_map<std::string, ItemNumber> numbers_;
  std::map<OnceKey, std::vector<std::int64_t>> times_;
};

}  // namespace

std::optional<double> total(const std::vector<const BatchEvent*>& lines) {
  __extension__ typedef __float128 Wide;  // sums of what random logs have are exact in it
  std::optional<Wide> sum;
  for (const BatchEvent* line : lines) {
    if (line->value) sum = sum.value_or(0) + static_cast<Wide>(*line->value);
  }
  return sum ? std::optional(static_cast<double>(*sum)) : std::nullopt;
}

std::int64_t touched_before_ms(const JoinRule& join) {
  if (std::ranges::none_of(join.actions, &Action::once)) return (join.same_list.ms + (join.same_list.ms + 1) / 2 * 2);
  return std::max((join.same_list.ms + (join.same_list.ms + 1) / 2 * 2),
                  std::ranges::max(join.horizons).ms + 2 * join.skew.ms);
}

AcceptedEvents accept(const EvaluatorSpec& spec, std::vector<BatchEvent> candidates, std::size_t partitions) {
  return Acceptance(spec, partitions).run(std::move(candidates));
}

}  // namespace recmeter::support
