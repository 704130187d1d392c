// What a joiner remembers and for how long.
#include <algorithm>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

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
    if (list.is_growing) {
      for (const ListPieces::Place& place : pieces_.at(*at).list.places()) heavy.add_items(*at, {&place.item, 1});
    } else {
      heavy.add_items(*at, lists_.items(list));
    }
    for (std::uint32_t credit = list.credits; credit != 0; credit = credits_.at(credit).next) {
      if (!rule_.actions[credits_.at(credit).action].on_list) heavy.add_credit(*at, credits_.at(credit).item);
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
  const Duration list_memory = std::max(longest_ + rule_.skew, rule_.same_list + rule_.assemble);
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
  std::erase_if(echoes_, [&](const auto& echo) { return echo.second.last() + rule_.same_list <= w; });
}

void Joiner::forget_list(EventTime w) {
  const std::uint64_t sequence = lists_.entries().begin();
  const ListEntry oldest = lists_.at(sequence);
  RECMETER_CHECK(sequence < next_assembled_, "a list is forgotten before it is assembled");
  RECMETER_CHECK(std::all_of(next_scored_.begin(), next_scored_.end(), [&](std::uint64_t next) { return sequence < next; }),
                 "a list is forgotten before it is scored");
  Timeline& timeline = timelines_.at(oldest.timeline);
  if (oldest.last_seen + rule_.same_list > w && !oldest.is_followed) remember_id(sequence, timeline.nobody);
  if (oldest.has_pieces) pieces_.erase(sequence);
  if (timeline.heavy != Timeline::not_heavy) {
    heavy_[timeline.heavy]->forget_list(sequence, lists_.items(oldest), oldest.credits != 0);
  }
  credits_.forget(oldest.credits);
  if (timeline.newest_list == sequence + 1) timeline.newest_list = 0;
  --timeline.lists;
  lists_.forget_oldest();
  leave(oldest.timeline);
}

}  // namespace recmeter
