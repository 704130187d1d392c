#include "app/explain/list_watch.h"

#include <algorithm>
#include <tuple>

namespace recmeter::explain {

namespace {

constexpr std::size_t near_ids_max = 3;

bool is_meant(const Wanted& wanted, const EventBatch& batch, const Event& event) {
  return batch.list_id(event) == wanted.list_id && (wanted.user_id.empty() || batch.user_id(event) == wanted.user_id);
}

}  // namespace

void ListFinder::fate(const EventBatch& batch, const Event& event, PartitionIndex /*partition*/, Fate fate,
                      std::optional<DuplicateReason> /*why*/) {
  if (event.outcome != Outcome::event || event.kind == EventKind::feedback) return;
  ++impressions_;
  first_ = std::min(first_, event.ts);
  last_ = std::max(last_, event.ts);
  const std::string_view id = batch.list_id(event);
  if (is_meant(wanted_, batch, event)) {
    users_.emplace(batch.user_id(event));
    accepted_ += fate == Fate::accepted ? 1 : 0;
  } else if (id == wanted_.list_id) {
    other_users_.emplace(batch.user_id(event));
  } else if (near_ids_.size() < near_ids_max && (id.starts_with(wanted_.list_id) || wanted_.list_id.starts_with(id))) {
    near_ids_.emplace(id);
  }
}

void ListWatch::fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
                     std::optional<DuplicateReason> why) {
  if (event.outcome != Outcome::event) return;
  if (event.kind != EventKind::feedback) {
    if (!is_meant(wanted_, batch, event)) return;
    WatchedImpression& seen = impressions_.emplace_back();
    seen.input = index_of(partition);
    seen.ts = event.ts;
    seen.user_id = batch.user_id(event);
    seen.by_row = event.kind == EventKind::row;
    seen.fate = fate;
    seen.why = why;
    for (std::size_t i = 0; i < event.item_count; ++i) seen.items.emplace_back(batch.item(event, i));
    if (event.has_scores) seen.scores.assign(batch.scores(event).begin(), batch.scores(event).end());
    seen.position = event.position;
    for (std::size_t i = 0; i < event.segment_count; ++i) {
      seen.segments.emplace_back(batch.segment_key(event, i), batch.segment_value(event, i));
    }
    return;
  }
  const bool names_list = batch.list_id(event) == wanted_.list_id;
  const bool of_user = !event.nobody && users_.contains(std::string(batch.user_id(event)));
  if (!of_user && !(event.nobody && names_list)) return;
  feedback_.push_back({.input = index_of(partition),
                       .ts = event.ts,
                       .action = event.action,
                       .item = std::string(batch.item(event, 0)),
                       .list_id = std::string(batch.list_id(event)),
                       .user_id = std::string(batch.user_id(event)),
                       .event_id = std::string(batch.event_id(event)),
                       .value = event.has_value ? std::optional(batch.value(event)) : std::nullopt,
                       .nobody = event.nobody,
                       .fate = fate,
                       .why = why,
                       .outcome = {},
                       .credits = {}});
}

// Feedback is decided in the order in which it was accepted, those of equal fields too.
void ListWatch::decided(const DecidedFeedback& feedback) {
  const auto seen = std::find_if(feedback_.begin(), feedback_.end(), [&](const WatchedFeedback& f) {
    return f.fate == Fate::accepted && !f.outcome && f.ts == feedback.ts && f.action == feedback.action &&
           f.item == feedback.item && f.list_id == feedback.list_id && f.user_id == feedback.user_id;
  });
  if (seen == feedback_.end()) return;
  seen->outcome = feedback.outcome;
  seen->is_relevant = feedback.is_relevant;
  for (const DecidedCredit& credit : feedback.credits) {
    seen->credits.push_back(
        {.ts = credit.ts, .list_id = std::string(credit.list_id), .counted = credit.counted, .repeated = credit.repeated});
  }
}

void ListWatch::scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items,
                       bool /*is_matured*/) {
  if (list.list_id != wanted_.list_id || !(wanted_.user_id.empty() || list.user_id == wanted_.user_id)) return;
  auto at = std::find_if(lists_.begin(), lists_.end(),
                         [&](const WatchedList& other) { return other.ts == list.ts && other.user_id == list.user_id; });
  if (at == lists_.end()) {
    const JoinKey& key = plan_.spec->join.key;
    at = lists_.insert(at, {.ts = list.ts,
                            .list_id = std::string(list.list_id),
                            .user_id = std::string(list.user_id),
                            .nobody = key.by != JoinKey::By::user || key.not_users.contains(list.user_id),
                            .items = {},
                            .scores = {}});
    for (const Interner::Id item : list.items) {
      at->items.emplace_back(item == Interner::none ? std::string_view() : items.text(item));
    }
  }
  at->scores.push_back({.horizon = index_of(horizon),
                        .hits = {score.hits.begin(), score.hits.end()},
                        .knows_missed = plan_.metrics.needs(ListPart::missed),
                        .missed = {score.missed.begin(), score.missed.end()},
                        .metrics = metrics_of(plan_.metrics, score)});
}

std::vector<WatchedList> ListWatch::take_lists() {
  std::sort(lists_.begin(), lists_.end(),
            [](const WatchedList& a, const WatchedList& b) { return std::tie(a.ts, a.user_id) < std::tie(b.ts, b.user_id); });
  for (WatchedList& list : lists_) {
    std::sort(list.scores.begin(), list.scores.end(), [](const auto& a, const auto& b) { return a.horizon < b.horizon; });
  }
  return std::move(lists_);
}

}  // namespace recmeter::explain
