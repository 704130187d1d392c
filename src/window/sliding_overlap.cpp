#include "recmeter/window/sliding_overlap.h"

#include <algorithm>

namespace recmeter {

// Adds the item's part of every group's sum, or takes it off.
void SlidingOverlap::count(const Weights& weights, int sign) {
  Int128 total = 0;
  for (const GroupWeight& of : weights) total += of.weight;
  for (const GroupWeight& of : weights) facts_.shared[of.group] += sign * (Int128{of.weight} * (total - of.weight));
}

void SlidingOverlap::apply(const OverlapWeights& pane, bool entering) {
  for (std::size_t g = 0; g < user_groups; ++g) {
    facts_.lists[g] += entering ? pane.lists(g) : -pane.lists(g);
  }
  std::vector<PaneEntry> entries;
  entries.reserve(pane.size());
  pane.for_each(
      [&](std::uint32_t item, std::size_t group, std::uint64_t weight) { entries.push_back({item, {group, weight}}); });
  std::sort(entries.begin(), entries.end(), [](const PaneEntry& a, const PaneEntry& b) {
    return a.item != b.item ? a.item < b.item : a.of.group < b.of.group;
  });
  Weights changed;
  for (auto from = entries.begin(); from != entries.end();) {
    const auto to = std::find_if(from, entries.end(), [&](const PaneEntry& entry) { return entry.item != from->item; });
    const auto at = items_.try_emplace(from->item).first;
    Weights& weights = at->second;
    count(weights, -1);
    changed.clear();
    auto old = weights.begin();
    for (; from != to; ++from) {
      for (; old != weights.end() && old->group < from->of.group; ++old) changed.push_back(*old);
      std::uint64_t weight = entering ? from->of.weight : -from->of.weight;
      if (old != weights.end() && old->group == from->of.group) weight += (old++)->weight;
      if (weight > 0) changed.push_back({from->of.group, weight});
    }
    changed.insert(changed.end(), old, weights.end());
    count(changed, 1);
    weights_capacity_ -= weights.capacity();
    if (changed.empty()) {
      items_.erase(at);
    } else {
      weights.assign(changed.begin(), changed.end());
      weights_capacity_ += weights.capacity();
    }
  }
}

std::size_t SlidingOverlap::memory_bytes() const {
  constexpr std::size_t node = sizeof(std::uint32_t) + sizeof(Weights) + 2 * sizeof(void*);
  return sizeof(*this) + items_.size() * node + items_.bucket_count() * sizeof(void*) +
         weights_capacity_ * sizeof(GroupWeight);
}

}  // namespace recmeter
