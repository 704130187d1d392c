#include "recmeter/window/list_sample.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace recmeter {

void ListSample::add(std::uint64_t hash, std::size_t group, std::span<const Interner::Id> items, std::size_t lists_max) {
  add_at(static_cast<std::size_t>(std::countl_zero(hash)), group, items, lists_max);
}

void ListSample::raise(std::size_t threshold, std::size_t lists_max) {
  lists_max_ = lists_max;
  drop_below(threshold);
}

void ListSample::add_at(std::size_t level, std::size_t group, std::span<const Interner::Id> items, std::size_t lists_max) {
  lists_max_ = lists_max;
  if (level < threshold_) return;
  if (level >= levels_.size()) levels_.resize(level + 1);
  Level& of_level = levels_[level];
  of_level.words.push_back(static_cast<std::uint32_t>(items.size() * group_limit + group));
  of_level.words.insert(of_level.words.end(), items.begin(), items.end());
  ++of_level.lists;
  ++lists_;
  keep_to_limit();
}

void ListSample::merge(const ListSample& other) {
  lists_max_ = std::max(lists_max_, other.lists_max_);
  drop_below(other.threshold_);
  if (other.levels_.size() > levels_.size()) levels_.resize(other.levels_.size());
  for (std::size_t level = threshold_; level < other.levels_.size(); ++level) {
    const Level& from = other.levels_[level];
    levels_[level].words.insert(levels_[level].words.end(), from.words.begin(), from.words.end());
    levels_[level].lists += from.lists;
    lists_ += from.lists;
  }
  keep_to_limit();
}

ListSample ListSample::translated(std::span<const std::uint32_t> to) const {
  ListSample out = *this;
  for (Level& level : out.levels_) {
    for (std::size_t begin = 0; begin < level.words.size(); begin += 1 + length_of(level.words[begin])) {
      for (std::uint32_t& item : std::span(level.words).subspan(begin + 1, length_of(level.words[begin]))) {
        if (item != Interner::none) item = to[item];
      }
    }
  }
  return out;
}

std::size_t ListSample::lists_from(std::size_t level) const {
  const auto first = levels_.begin() + static_cast<std::ptrdiff_t>(std::min(level, levels_.size()));
  return std::accumulate(first, levels_.end(), std::size_t{0},
                         [](std::size_t lists, const Level& of_level) { return lists + of_level.lists; });
}

void ListSample::drop_below(std::size_t threshold) {
  for (; threshold_ < threshold; ++threshold_) {
    if (threshold_ >= levels_.size()) continue;
    lists_ -= levels_[threshold_].lists;
    levels_[threshold_] = {};
  }
}

void ListSample::keep_to_limit() {
  while (lists_ > lists_max_) drop_below(threshold_ + 1);
}

std::size_t ListSample::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + levels_.capacity() * sizeof(Level);
  for (const Level& level : levels_) bytes += level.words.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace recmeter
