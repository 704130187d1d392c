#include "recmeter/evaluation/lane_feed.h"

#include <algorithm>
#include <utility>

namespace recmeter {

void LaneFeed::add(Entry entry, Interner& items) {
  const Event& event = entry.what();
  if (!moment_.empty() && moment_.front().what().ts != event.ts) place_moment();
  if (event.is_of_lane()) return moment_.push_back(std::move(entry));
  if (event.kind == EventKind::feedback) return feedback_.push_back(std::move(entry));
  places_.add(entry.batch, entry.event, items);
  if (kind_ != Kind::candidates) lists_[event.ts].push_back(std::move(entry));
}

// All lists of the moment have come.
void LaneFeed::place_moment() {
  for (const Entry& entry : moment_) {
    const Event& event = entry.what();
    const bool names_list = !entry.batch->list_id(event).empty();
    if (kind_ == Kind::policies) {
      note_policy(entry, names_list ? places_.find(*entry.batch, event) : nullptr);
      continue;
    }
    place(entry, names_list ? places_.find(*entry.batch, event)
                            : places_.place_of(event.nobody, entry.batch->user_id(event), event.ts, {}));
  }
  moment_.clear();
  seen_.clear();
}

// A list that names another stands at `at`, or nowhere; one that names none, at its own time.
void LaneFeed::place(Entry entry, ListPlace* at) {
  const Event& event = entry.what();
  const bool names_list = !entry.batch->list_id(event).empty();
  const std::uint64_t bit = std::uint64_t{1} << event.candidate;
  bool is_new = true;
  if (!names_list) {
    is_new = seen_.emplace(event.candidate, event.nobody, entry.batch->user_id(event)).second;
    if (at != nullptr) at->at_moment |= bit;
  } else if (at != nullptr) {
    is_new = (at->stood_in & bit) == 0;
    at->stood_in |= bit;
  }
  if (kind_ != Kind::candidates || event.candidate != recommender_) return;
  decided_.emplace_back(entry, is_new);
  if (!is_new) return;
  if (names_list && at == nullptr) {
    ++counts_.orphaned;
    return;
  }
  ++counts_.joined;
  entry.place_batch = names_list ? at->batch : entry.batch;
  entry.place = names_list ? at->event : entry.event;
  lists_[names_list ? at->ts : event.ts].push_back(std::move(entry));
}

// How many ranks a list has is known when it is assembled. Candidates are counted in the lane of their lists.
void LaneFeed::note_policy(Entry entry, ListPlace* at) {
  if (at != nullptr) return policies_[{at->ts, at}].push_back(std::move(entry));
  if (entry.what().kind == EventKind::candidate) return;
  decided_.emplace_back(std::move(entry), true);
  ++counts_.orphaned;
}

void LaneFeed::settle_policies(EventTime w, Interner& items) {
  while (!policies_.empty()) {
    const auto first = policies_.begin();
    const auto [ts, place] = first->first;
    if (w != plus_infinity && ts + std::max(assemble_, Duration{1}) > w) return;
    for (const Entry& entry : first->second) settle_policy(entry, *place, items);
    policies_.erase(first);
  }
}

// Of policies what first speaks of as many ranks as the list has counts, of candidates the first.
void LaneFeed::settle_policy(const Entry& entry, ListPlace& place, Interner& items) {
  const Event& event = entry.what();
  if (event.kind == EventKind::candidate) {
    if (place.candidate) return;
    std::vector<Interner::Id>& shows = place.candidate.emplace();
    for (std::size_t i = 0; i < event.item_count; ++i) {
      const HashedText item = entry.batch->hashed_item(event, i);
      shows.push_back(item.text.empty() ? Interner::none : items.intern(item, place.ts));
    }
    return;
  }
  const EventBatch::Policy policy = entry.batch->policy(event);
  const bool is_orphan = policy.propensities.size() != place.items.size();
  decided_.emplace_back(entry, is_orphan || !place.policy);
  if (is_orphan) ++counts_.orphaned;
  if (is_orphan || place.policy) return;
  const auto copy = [](std::span<const double> numbers) { return std::vector<double>(numbers.begin(), numbers.end()); };
  place.policy = {copy(policy.propensities), copy(policy.predicted), copy(policy.expected)};
}

std::optional<LaneFeed::Entry> LaneFeed::take_before(EventTime w) {
  const bool has_list = !lists_.empty() && lists_.begin()->first < w;
  const bool has_feedback = !feedback_.empty() && feedback_.front().what().ts < w;
  if (!has_list && !has_feedback) return std::nullopt;
  if (has_list && (!has_feedback || lists_.begin()->first <= feedback_.front().what().ts)) {
    std::deque<Entry>& lists = lists_.begin()->second;
    Entry entry = std::move(lists.front());
    lists.pop_front();
    if (lists.empty()) lists_.erase(lists_.begin());
    return entry;
  }
  Entry entry = std::move(feedback_.front());
  feedback_.pop_front();
  return entry;
}

}  // namespace recmeter
