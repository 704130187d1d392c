#include "recmeter/join/heavy_timeline.h"

#include <algorithm>

namespace recmeter {

void SequenceQueue::insert(std::uint64_t sequence) {
  if (sequences_.empty() || sequences_.back() < sequence) {
    sequences_.push_back(sequence);
    return;
  }
  // A late row of an older list: close to the end.
  const auto at = std::lower_bound(sequences_.begin() + static_cast<std::ptrdiff_t>(begin_), sequences_.end(), sequence);
  if (at == sequences_.end() || *at != sequence) sequences_.insert(at, sequence);
}

void SequenceQueue::forget_up_to(std::uint64_t sequence) {
  while (begin_ < sequences_.size() && sequences_[begin_] <= sequence) ++begin_;
  if (begin_ * 2 > sequences_.size()) {
    sequences_.erase(sequences_.begin(), sequences_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
}

HeavyTimeline::HeavyTimeline(const JoinRule& rule, bool needs_missed) {
  if (!needs_missed) return;
  for (const Duration horizon : rule.horizons) sliding_.emplace_back(rule, horizon);
}

void HeavyTimeline::forget_list(std::uint64_t sequence, std::uint64_t list_id_hash, std::span<const Interner::Id> items) {
  if (const auto at = by_id_.find(list_id_hash); at != by_id_.end()) {
    at->second.forget_up_to(sequence);
    if (at->second.live().empty()) by_id_.erase(at);
  }
  for (const Interner::Id item : items) {
    const auto at = by_item_.find(item);
    if (at == by_item_.end()) continue;
    at->second.forget_up_to(sequence);
    if (at->second.live().empty()) by_item_.erase(at);
  }
}

std::span<const std::uint64_t> HeavyTimeline::lists_with_id(std::uint64_t list_id_hash) const {
  const auto at = by_id_.find(list_id_hash);
  return at == by_id_.end() ? std::span<const std::uint64_t>{} : at->second.live();
}

std::span<const std::uint64_t> HeavyTimeline::lists_with_item(Interner::Id item) const {
  const auto at = by_item_.find(item);
  return at == by_item_.end() ? std::span<const std::uint64_t>{} : at->second.live();
}

void HeavyTimeline::add_acted(const ActedItem& acted) {
  if (!sliding_.empty()) acted_.push_back(acted);
}

void HeavyTimeline::lists_passed(EventTime ts) {
  for (ActedItems& sliding : sliding_) sliding.slide_to(ts + Duration{1}, acted_, acted_begin_);
  forget_acted();
}

std::uint64_t HeavyTimeline::missed(std::size_t horizon, EventTime ts, std::span<const Interner::Id> distinct_items,
                                    std::vector<GradeCount>& grades) {
  sliding_[horizon].slide_to(ts, acted_, acted_begin_);
  forget_acted();
  return sliding_[horizon].missed(distinct_items, grades);
}

void HeavyTimeline::forget_acted() {
  if (sliding_.empty()) return;
  std::uint64_t needed = sliding_[0].needed_from();
  for (const ActedItems& other : sliding_) needed = std::min(needed, other.needed_from());
  if (needed <= acted_begin_ || (needed - acted_begin_) * 2 <= acted_.size()) return;
  acted_.erase(acted_.begin(), acted_.begin() + static_cast<std::ptrdiff_t>(needed - acted_begin_));
  acted_begin_ = needed;
}

}  // namespace recmeter
