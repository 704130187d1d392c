#include "recmeter/window/sliding_counts.h"

#include <algorithm>

namespace recmeter {

namespace {

void move_level(SumTable& levels, std::uint64_t from, std::uint64_t to) {
  constexpr auto minus_one = ~std::uint64_t{0};
  if (from > 0) levels.add(from, minus_one);
  if (to > 0) levels.add(to, 1);
}

}  // namespace

void SlidingCounts::apply(const SumTable& lists, const ItemSet* catalog, bool entering) {
  lists.for_each([&](std::uint64_t item, std::uint64_t count) {
    const std::uint64_t change = entering ? count : -count;
    const std::uint64_t after = counts_.add(item, change);
    const std::uint64_t before = after - change;
    move_level(levels_, before, after);
    if (catalog != nullptr && catalog->contains(static_cast<std::uint32_t>(item))) {
      move_level(levels_in_catalog_, before, after);
    }
  });
}

std::vector<CountLevel> SlidingCounts::sorted(const SumTable& levels) {
  std::vector<CountLevel> out;
  out.reserve(levels.size());
  levels.for_each([&](std::uint64_t lists, std::uint64_t items) { out.push_back({.lists = lists, .items = items}); });
  std::sort(out.begin(), out.end(), [](const CountLevel& a, const CountLevel& b) { return a.lists < b.lists; });
  return out;
}

std::size_t SlidingCounts::memory_bytes() const {
  return counts_.memory_bytes() + levels_.memory_bytes() + levels_in_catalog_.memory_bytes();
}

}  // namespace recmeter
