// What a joiner looks at soon is brought near while it does something else (docs/decisions/0028). None of this decides
// anything.
#include "recmeter/base/fetch_ahead.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

void Joiner::prefetch(std::uint64_t key_hash, int step) const {
  if (step == 0) return timelines_.prefetch(key_hash);
  const Timeline* timeline = timelines_.likely(key_hash);
  if (timeline == nullptr) return;
  if (step == 1) return fetch_ahead(timeline);
  if (timeline->newest_list <= lists_.entries().begin()) return;
  const ListEntry& list = lists_.at(timeline->newest_list - 1);
  if (step == 2) return fetch_ahead(&list);
  lists_.prefetch_ids(list);
  if (list.older > lists_.entries().begin()) fetch_ahead(&lists_.at(list.older - 1));
}

bool Joiner::may_hold_list(std::uint64_t key_hash) const {
  const Timeline* const timeline = timelines_.likely(key_hash);
  return timeline != nullptr && timeline->newest_list > lists_.entries().begin();
}

void Joiner::prefetch_items(const EventBatch& batch, const Event& event, int step) const {
  for (std::size_t i = 0; i < event.item_count; ++i) {
    const std::uint32_t hash = batch.hashed_item(event, i).hash;
    step == 2 ? items_.prefetch_slot(hash) : items_.prefetch_text(hash);
  }
}

// Of the lists that are scored soon: their credits, what the observer looks at, and what their users did besides.
void Joiner::prefetch_scoring(std::uint64_t sequence) {
  constexpr std::uint64_t stride = 6;
  const std::uint64_t near = sequence + stride;
  if (near >= next_assembled_) return;
  const ListEntry& list = lists_.at(near);
  if (list.credits != 0) fetch_ahead(&credits_.at(list.credits));
  if (options_.tells_upcoming) {
    observer_.upcoming(
        {.slot = list.slot, .labels = lists_.labels(list), .items = lists_.items(list), .has_credits = list.credits != 0});
  }
  if (missed_gains_.empty()) return;
  if (const std::uint64_t acted = timelines_.at(list.timeline).newest_feedback; acted > feedback_.entries().begin()) {
    fetch_ahead(&feedback_.at(acted - 1));
  }
  if (near + stride < next_assembled_) timelines_.prefetch_at(lists_.at(near + stride).timeline);
}

// Of a feedback that is decided soon: its timeline, then the newest list there, then what that list holds.
void Joiner::prefetch_deciding(std::uint64_t sequence) const {
  constexpr std::uint64_t stride = 4;
  for (std::uint64_t step = 0; step < 3; ++step) {
    const std::uint64_t ahead = sequence + stride * (3 - step);
    if (ahead >= feedback_.entries().end()) continue;
    const TimelineTable::Index index = feedback_.at(ahead).timeline;
    if (step == 0) {
      timelines_.prefetch_at(index);
    } else if (const std::uint64_t newest = timelines_.at(index).newest_list; newest > lists_.entries().begin()) {
      const ListEntry& list = lists_.at(newest - 1);
      step == 1 ? fetch_ahead(&list) : lists_.prefetch_ids(list);
    }
  }
}

// The timelines of the lists to be forgotten next are scattered over memory, and so are their slots.
void Joiner::prefetch_forgetting(std::uint64_t sequence) const {
  constexpr std::uint64_t stride = 6;
  if (sequence + 2 * stride >= lists_.entries().end()) return;
  timelines_.prefetch_at(lists_.at(sequence + 2 * stride).timeline);
  timelines_.prefetch_slot_of(lists_.at(sequence + stride).timeline);
}

}  // namespace recmeter
