#include "recmeter/join/acted_items.h"

#include <algorithm>

#include "recmeter/base/check.h"

namespace recmeter {

ActedItems::ActedItems(const JoinRule& rule, Duration horizon, std::span<const double> gains)
    : skew_(rule.skew), enter_(rule.actions.size(), 0) {
  for (const double gain : gains) {
    if (gain > 0) gains_.push_back(gain);
  }
  std::sort(gains_.begin(), gains_.end());
  gains_.erase(std::unique(gains_.begin(), gains_.end()), gains_.end());
  for (std::size_t a = 0; a < rule.actions.size(); ++a) {
    reach_.push_back(rule.reach(a, horizon));
    const auto at = std::lower_bound(gains_.begin(), gains_.end(), gains[a]) - gains_.begin();
    level_.push_back(gains[a] > 0 ? static_cast<int>(at) : -1);
  }
  items_at_level_.resize(gains_.size(), 0);
}

int ActedItems::top_level(const Levels& levels) {
  for (std::size_t level = levels.size(); level > 0; --level) {
    if (levels[level - 1] > 0) return static_cast<int>(level - 1);
  }
  return -1;
}

void ActedItems::count(const ActedItem& acted, int change) {
  const auto [at, is_new] = items_.try_emplace(acted.item, gains_.size(), 0U);
  Levels& levels = at->second;
  const int before = top_level(levels);
  auto& counter = levels[static_cast<std::size_t>(level_[acted.action])];
  RECMETER_CHECK(change > 0 || counter > 0, "feedback leaves that never entered");
  counter = static_cast<std::uint32_t>(static_cast<int>(counter) + change);
  const int after = top_level(levels);
  if (before >= 0) --items_at_level_[static_cast<std::size_t>(before)];
  if (after >= 0) ++items_at_level_[static_cast<std::size_t>(after)];
  if (after < 0) items_.erase(at);
}

void ActedItems::slide_to(EventTime ts, std::span<const ActedItem> acted, std::uint64_t first) {
  const std::uint64_t end = first + acted.size();
  for (std::size_t action = 0; action < enter_.size(); ++action) {
    if (level_[action] < 0) continue;
    std::uint64_t& next = enter_[action];
    next = std::max(next, first);
    for (; next < end && acted[next - first].ts - ts < reach_[action]; ++next) {
      if (acted[next - first].action == action) count(acted[next - first], +1);
    }
  }
  leave_ = std::max(leave_, first);
  for (; leave_ < end && acted[leave_ - first].ts < ts - skew_; ++leave_) {
    const ActedItem& gone = acted[leave_ - first];
    // It has entered: its time lies before the span's end for this list, or it never will for a later one.
    if (level_[gone.action] >= 0 && leave_ < enter_[gone.action]) count(gone, -1);
  }
  for (std::size_t action = 0; action < enter_.size(); ++action) enter_[action] = std::max(enter_[action], leave_);
}

std::uint64_t ActedItems::missed(std::span<const Interner::Id> distinct_items, std::vector<GradeCount>& grades) const {
  std::vector<std::uint64_t> counts = items_at_level_;
  for (const Interner::Id item : distinct_items) {
    const auto at = items_.find(item);
    if (at != items_.end()) --counts[static_cast<std::size_t>(top_level(at->second))];
  }
  grades.clear();
  std::uint64_t total = 0;
  for (std::size_t level = counts.size(); level > 0; --level) {
    if (counts[level - 1] == 0) continue;
    grades.push_back({gains_[level - 1], counts[level - 1]});
    total += counts[level - 1];
  }
  return total;
}

}  // namespace recmeter
