#include "recmeter/window/sliding_counts.h"

#include <algorithm>

namespace recmeter {

void SlidingCounts::apply(const SumParts& lists, const ItemSet* catalog, bool entering) {
  lists.for_each([&](std::uint32_t item, std::uint32_t shown) {
    std::uint32_t& count = counts_.at(item);
    const std::uint32_t before = count;
    count += entering ? shown : -shown;
    levels_.move(before, count);
    if (catalog != nullptr && catalog->contains(item)) levels_in_catalog_.move(before, count);
  });
}

void SlidingCounts::leave_empty(const SumParts& lists) {
  lists.for_each([this](std::uint32_t item, std::uint32_t) { counts_.at(item) = 0; });
  levels_.clear();
  levels_in_catalog_.clear();
}

std::vector<CountLevel> SlidingCounts::Levels::sorted() const {
  std::vector<CountLevel> out;
  for (std::size_t count = 1; count < low_.size(); ++count) {
    if (low_[count] > 0) out.push_back({.lists = count, .items = low_[count]});
  }
  const auto low = static_cast<std::ptrdiff_t>(out.size());
  high_.for_each([&](std::uint32_t lists, std::uint32_t items) { out.push_back({.lists = lists, .items = items}); });
  std::sort(out.begin() + low, out.end(), [](const CountLevel& a, const CountLevel& b) { return a.lists < b.lists; });
  return out;
}

std::size_t SlidingCounts::memory_bytes() const {
  return counts_.memory_bytes() + levels_.memory_bytes() + levels_in_catalog_.memory_bytes();
}

}  // namespace recmeter
