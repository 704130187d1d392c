#include "recmeter/window/show_counts.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

void ShowCounts::merge(const ShowCounts& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  shown_.insert(shown_.end(), other.shown_.begin(), other.shown_.end());
  if (parts_.size() + shown_.size() >= std::max(16 * few, 4 * counted_)) add_up();
}

ShowCounts ShowCounts::translated(std::span<const std::uint32_t> to) const {
  ShowCounts out;
  out.parts_ = parts_;
  for (Part& part : out.parts_) part.item = to[part.item];
  out.shown_.reserve(shown_.size());
  for (const Interner::Id item : shown_) out.shown_.push_back(to[item]);
  out.add_up();
  return out;
}

// Whether an item comes for the first time is a guess no processor makes well, so there is no branch on it.
void ShowCounts::add_up() {
  if (shown_.empty() && parts_.size() == counted_) return;
  thread_local std::vector<std::uint32_t> lists_of;  // by item; all zero between calls
  Interner::Id largest = 0;
  for (const Part& part : parts_) largest = std::max(largest, part.item);
  for (const Interner::Id item : shown_) largest = std::max(largest, item);
  if (largest >= lists_of.size()) lists_of.resize(std::size_t{largest} + largest / 2 + 1);
  std::vector<Part> all(std::min<std::size_t>(parts_.size() + shown_.size(), std::size_t{largest} + 1) + 1);
  std::size_t distinct = 0;
  const auto add = [&](Interner::Id item, std::uint32_t lists) {
    std::uint32_t& counted = lists_of[item];
    all[distinct].item = item;
    distinct += counted == 0 ? 1 : 0;
    counted += lists;
  };
  for_each(add, [](Interner::Id item, int step) {
    if (step == 1) fetch_ahead(&lists_of[item]);
  });
  all.resize(distinct);
  for (Part& part : all) part.lists = std::exchange(lists_of[part.item], 0);
  parts_ = std::move(all);
  counted_ = parts_.size();
  shown_.clear();
}

}  // namespace recmeter
