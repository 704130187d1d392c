#include "recmeter/evaluation/distinct_ranks.h"

#include <algorithm>
#include <bit>

namespace recmeter {

namespace {

constexpr std::size_t short_list = 24;  // compared item by item

}  // namespace

void DistinctRanks::count(std::span<const Interner::Id> items) {
  if (items.size() > short_list) seen_.assign(2 * std::bit_ceil(items.size()), Interner::none);
  counts_.resize(items.size() + 1);
  counts_[0] = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    counts_[i + 1] = counts_[i] + (items[i] != Interner::none && is_new(items, i) ? 1 : 0);
  }
}

bool DistinctRanks::is_new(std::span<const Interner::Id> items, std::size_t rank) {
  const Interner::Id item = items[rank];
  if (items.size() <= short_list) {
    const auto before = items.first(rank);
    return std::find(before.begin(), before.end(), item) == before.end();
  }
  const std::size_t mask = seen_.size() - 1;
  std::size_t at = (item * std::size_t{0x9E3779B97F4A7C15}) >> 20 & mask;
  for (; seen_[at] != Interner::none; at = (at + 1) & mask) {
    if (seen_[at] == item) return false;
  }
  seen_[at] = item;
  return true;
}

}  // namespace recmeter
