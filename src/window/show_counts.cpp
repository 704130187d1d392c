#include "recmeter/window/show_counts.h"

#include <utility>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

void ShowCounts::merge(const ShowCounts& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  shown_.insert(shown_.end(), other.shown_.begin(), other.shown_.end());
  if (parts_.size() + shown_.size() >= std::max(16 * few, 4 * counted_)) count();
}

ShowCounts ShowCounts::translated(std::span<const std::uint32_t> to) const {
  ShowCounts out;
  out.parts_ = parts_;
  for (Part& part : out.parts_) part.item = to[part.item];
  out.shown_.reserve(shown_.size());
  for (const Interner::Id item : shown_) out.shown_.push_back(to[item]);
  out.count();
  return out;
}

void ShowCounts::count() {
  thread_local std::vector<std::uint32_t> lists_of;  // by item; all zero between calls
  std::vector<Part> all;
  all.reserve(parts_.size());
  const auto fetch = [](Interner::Id item, int step) {
    if (item >= lists_of.size()) lists_of.resize(std::size_t{item} + item / 2 + 1);
    if (step == 1) fetch_ahead(&lists_of[item]);
  };
  const auto add = [&](Interner::Id item, std::uint32_t lists) {
    fetch(item, 0);
    if (lists_of[item] == 0) all.push_back({item, 0});
    lists_of[item] += lists;
  };
  for_each(add, fetch);
  for (Part& part : all) part.lists = std::exchange(lists_of[part.item], 0);
  parts_ = std::move(all);
  counted_ = parts_.size();
  shown_.clear();
}

}  // namespace recmeter
