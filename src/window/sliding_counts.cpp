#include "recmeter/window/sliding_counts.h"

namespace recmeter {

void SlidingCounts::apply(const ShowCounts& lists, const ItemSet* catalog, bool entering) {
  lists.for_each([&](std::uint32_t item, std::uint32_t shown) {
    std::uint32_t& count = counts_.at(item);
    const std::uint32_t before = count;
    count += entering ? shown : -shown;
    levels_.move(before, count);
    if (catalog != nullptr && catalog->contains(item)) levels_in_catalog_.move(before, count);
  });
}

void SlidingCounts::leave_empty(const ShowCounts& lists) {
  lists.for_each([this](std::uint32_t item, std::uint32_t) { counts_.at(item) = 0; });
  levels_.clear();
  levels_in_catalog_.clear();
}

std::vector<CountLevel> SlidingCounts::Levels::sorted() const {
  std::vector<CountLevel> out;
  for (std::size_t count = 1; count < low_.size(); ++count) {
    if (low_[count] > 0) out.push_back({.lists = count, .items = low_[count]});
  }
  for (const auto& [lists, items] : high_) out.push_back({.lists = lists, .items = items});
  return out;
}

std::size_t SlidingCounts::memory_bytes() const {
  return counts_.memory_bytes() + levels_.memory_bytes() + levels_in_catalog_.memory_bytes();
}

}  // namespace recmeter
