#include "recmeter/join/heavy_timeline.h"

#include <algorithm>

namespace recmeter {

HeavyTimeline::HeavyTimeline(const JoinRule& rule, std::span<const std::vector<double>> missed_gains)
    : earliest_first_(rule.credit == Credit::first_touch), horizons_(rule.horizons.size()) {
  for (const std::vector<double>& gains : missed_gains) {
    for (const Duration horizon : rule.horizons) sliding_.emplace_back(rule, horizon, gains);
  }
}

void HeavyTimeline::add_items(std::uint64_t sequence, std::span<const Interner::Id> items) {
  if (earliest_first_) {
    for (const Interner::Id item : items) {
      if (item != Interner::none) items_from_oldest_.add(item, sequence);
    }
    return;
  }
  for (const Interner::Id item : items) by_item_.prefetch(item);
  for (const Interner::Id item : items) {
    if (item != Interner::none) by_item_.add(item, sequence);
  }
}

void HeavyTimeline::add_credit(std::uint64_t sequence, Interner::Id item) {
  earliest_first_ ? credited_from_oldest_.add(item, sequence) : by_credited_item_.add(item, sequence);
}

void HeavyTimeline::forget_list(std::uint64_t sequence, std::span<const Interner::Id> items, bool has_credits) {
  by_id_.forget_before(sequence + 1);
  by_item_.forget_before(sequence + 1);
  by_credited_item_.forget_before(sequence + 1);
  if (!earliest_first_) return;
  for (const Interner::Id item : items) items_from_oldest_.forget(item, sequence);
  if (!has_credits) return;
  for (const Interner::Id item : items) credited_from_oldest_.forget(item, sequence);
}

void HeavyTimeline::add_acted(const ActedItem& acted) {
  if (!sliding_.empty()) acted_.push_back(acted);
}

void HeavyTimeline::lists_passed(EventTime ts) {
  for (ActedItems& sliding : sliding_) sliding.slide_to(ts + Duration{1}, acted_, acted_begin_);
  forget_acted();
}

std::uint64_t HeavyTimeline::missed(std::size_t view, std::size_t horizon, EventTime ts,
                                    std::span<const Interner::Id> distinct_items, std::vector<GradeCount>& grades) {
  ActedItems& sliding = sliding_[view * horizons_ + horizon];
  sliding.slide_to(ts, acted_, acted_begin_);
  forget_acted();
  return sliding.missed(distinct_items, grades);
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
