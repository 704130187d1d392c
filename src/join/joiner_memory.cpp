// What a joiner remembers and for how long.
#include <algorithm>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

namespace {

// Under which a forgotten list is remembered: all placeholders are the same nobody.
std::pair<std::string, std::string> echo_key(bool nobody, std::string_view user_id, std::string_view list_id) {
  return {nobody ? std::string() : std::string(user_id), std::string(list_id)};
}

}  // namespace

void Joiner::make_heavy(Timeline& timeline) {
  if (heavy_free_.empty()) {
    timeline.heavy = static_cast<std::uint32_t>(heavy_.size());
    heavy_.emplace_back();
  } else {
    timeline.heavy = heavy_free_.back();
    heavy_free_.pop_back();
  }
  heavy_[timeline.heavy] =
      std::make_unique<HeavyTimeline>(rule_, timeline.nobody ? std::span<const std::vector<double>>() : missed_gains_);
  HeavyTimeline& heavy = *heavy_[timeline.heavy];
  std::vector<std::uint64_t> sequences;
  for (std::uint64_t at = timeline.newest_list; at > lists_.entries().begin(); at = lists_.at(at - 1).older) {
    sequences.push_back(at - 1);
  }
  for (auto at = sequences.rbegin(); at != sequences.rend(); ++at) {
    const ListEntry& list = lists_.at(*at);
    heavy.add_list(*at, hash_id(lists_.list_id(list)));
    const auto rows = assemblies_.find(*at);
    heavy.add_items(*at, list.has_items ? lists_.items(list) : std::span<const Interner::Id>(rows->second.items));
    for (std::uint32_t credit = list.credits; credit != 0; credit = credits_.at(credit).next) {
      heavy.add_credit(*at, credits_.at(credit).item);
    }
  }
  if (timeline.nobody) return;
  sequences.clear();
  for (std::uint64_t at = timeline.newest_feedback; at > feedback_.entries().begin(); at = feedback_.at(at - 1).older) {
    sequences.push_back(at - 1);
  }
  for (auto at = sequences.rbegin(); at != sequences.rend(); ++at) {
    const FeedbackEntry& feedback = feedback_.at(*at);
    add_acted(heavy, feedback, feedback_.value(feedback));
  }
}

// A timeline ends with its last list and feedback.
void Joiner::leave(TimelineTable::Index index) {
  Timeline& timeline = timelines_.at(index);
  if (timeline.lists > 0 || timeline.feedback > 0) return;
  if (timeline.heavy != Timeline::not_heavy) {
    heavy_[timeline.heavy].reset();
    heavy_free_.push_back(timeline.heavy);
  }
  timelines_.erase(index);
}

void Joiner::forget(EventTime w) {
  const Duration list_memory = std::max({longest_ + rule_.skew, rule_.same_list, rule_.assemble});
  while (!lists_.entries().empty()) {
    const ListEntry& oldest = lists_.at(lists_.entries().begin());
    if (oldest.ts + list_memory > w) break;
    prefetch_forgetting(lists_.entries().begin());
    forget_list(w);
  }
  const Duration feedback_memory = longest_ + rule_.skew + rule_.skew;
  while (!feedback_.entries().empty()) {
    const std::uint64_t sequence = feedback_.entries().begin();
    const FeedbackEntry oldest = feedback_.at(sequence);
    if (oldest.ts + feedback_memory > w || sequence == next_decided_) break;
    Timeline& timeline = timelines_.at(oldest.timeline);
    if (timeline.heavy != Timeline::not_heavy) heavy_[timeline.heavy]->lists_passed(oldest.ts + rule_.skew);
    if (timeline.newest_feedback == sequence + 1) timeline.newest_feedback = 0;
    --timeline.feedback;
    feedback_.forget_oldest();
    leave(oldest.timeline);
  }
  for (auto echo = recent_list_ids_.begin(); echo != recent_list_ids_.end();) {
    echo = echo->second + rule_.same_list <= w ? recent_list_ids_.erase(echo) : std::next(echo);
  }
}

void Joiner::forget_list(EventTime w) {
  const std::uint64_t sequence = lists_.entries().begin();
  const ListEntry oldest = lists_.at(sequence);
  RECMETER_CHECK(sequence < next_assembled_, "a list is forgotten before it is assembled");
  RECMETER_CHECK(std::all_of(next_scored_.begin(), next_scored_.end(), [&](std::uint64_t next) { return sequence < next; }),
                 "a list is forgotten before it is scored");
  Timeline& timeline = timelines_.at(oldest.timeline);
  if (oldest.last_seen + rule_.same_list > w) {
    recent_list_ids_.insert_or_assign(echo_key(timeline.nobody, lists_.user_id(oldest), lists_.list_id(oldest)),
                                      oldest.last_seen);
  }
  if (timeline.heavy != Timeline::not_heavy) {
    heavy_[timeline.heavy]->forget_list(sequence, lists_.items(oldest), oldest.credits != 0);
  }
  credits_.forget(oldest.credits);
  if (timeline.newest_list == sequence + 1) timeline.newest_list = 0;
  --timeline.lists;
  lists_.forget_oldest();
  leave(oldest.timeline);
}

// Whether the impression repeats a list that is forgotten but for its id; if so its span is extended.
bool Joiner::extend_echo(const EventBatch& batch, const Event& event) {
  const auto echo = recent_list_ids_.find(echo_key(event.nobody, batch.user_id(event), batch.list_id(event)));
  if (echo == recent_list_ids_.end()) return false;
  if (event.ts - echo->second >= rule_.same_list) return false;
  echo->second = event.ts;
  return true;
}

}  // namespace recmeter
