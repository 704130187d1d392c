#include "support/batch_lists.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

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
    accept_feedback(std::move(feedback));
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string owner(const BatchEvent& event) const { return owner_of(event, spec_.join.key); }

  // "Take the impressions of one (user, list id), whole or rows, in the order of [S2.26]."
  void accept_impressions(std::vector<const BatchEvent*> events) {
    std::sort(events.begin(), events.end(), [this](const BatchEvent* a, const BatchEvent* b) {
      if (const int by = a->list_id.compare(b->list_id); by != 0) return by < 0;
      if (const int by = owner(*a).compare(owner(*b)); by != 0) return by < 0;
      return order_(*a, *b);
    });
    const BatchEvent* before = nullptr;
    for (const BatchEvent* event : events) {
      const bool same = before != nullptr && before->list_id == event->list_id && owner(*before) == owner(*event);
      if (!same || event->ts - before->ts >= spec_.join.same_list.ms) {
        open_list(*event);
      } else if (!join_list(*event)) {
        ++out_.partitions[event->partition].duplicate;
      }
      before = event;
    }
  }

  void open_list(const BatchEvent& event) {
    opened_by_row_ = event.kind == BatchEvent::Kind::row;
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
    if (opened_by_row_) {
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

  // [S3.20]: "joins its list if its position is free. The list is the one opened last for that (user, list id)".
  bool join_list(const BatchEvent& event) {
    BatchList& list = out_.lists.back();
    if (!opened_by_row_ || event.kind != BatchEvent::Kind::row) return false;
    if (event.ts - list.ts >= spec_.join.assemble.ms) return false;
    if (event.position <= list.ranks.size() && list.ranks[event.position - 1].item) return false;
    place(list, event);
    count_impression(event);
    return true;
  }

  void place(BatchList& list, const BatchEvent& row) {
    if (list.ranks.size() < row.position) list.ranks.resize(row.position);
    list.ranks[row.position - 1] = {number(row.items.front()), row.ts};
    if (!row.scores.empty()) list.ranks[row.position - 1].score = row.scores.front();
    if (!row.teams.empty()) list.ranks[row.position - 1].team = row.teams.front();
    if (!row.propensities.empty()) list.ranks[row.position - 1].propensity = row.propensities.front();
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

  void accept_feedback(std::vector<const BatchEvent*> events) {
    // Equal feedback is adjacent in the order of [S2.26] but for the value, which stands before event_id there.
    std::sort(events.begin(), events.end(), [this](const BatchEvent* a, const BatchEvent* b) {
      if (a->ts != b->ts) return a->ts < b->ts;
      if (a->action != b->action) return a->action < b->action;
      if (a->user_id != b->user_id) return a->user_id < b->user_id;
      if (a->items != b->items) return a->items < b->items;
      if (a->list_id != b->list_id) return a->list_id < b->list_id;
      if (a->event_id != b->event_id) return a->event_id < b->event_id;
      return order_(*a, *b);
    });
    std::vector<const BatchEvent*> accepted;
    for (const BatchEvent* event : events) {
      if (!accepted.empty() && same_feedback(*accepted.back(), *event)) {
        ++out_.partitions[event->partition].duplicate;
      } else {
        accepted.push_back(event);
      }
    }
    std::sort(accepted.begin(), accepted.end(), [this](const BatchEvent* a, const BatchEvent* b) { return order_(*a, *b); });
    for (const BatchEvent* event : accepted) {
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
  bool opened_by_row_ = false;  // of the list opened last
  std::unordered_map<std::string, ItemNumber> numbers_;
};

}  // namespace

AcceptedEvents accept(const EvaluatorSpec& spec, std::vector<BatchEvent> candidates, std::size_t partitions) {
  return Acceptance(spec, partitions).run(std::move(candidates));
}

}  // namespace recmeter::support
