#include "window/overlap.h"

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cmath>
#include <vector>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

namespace {

// One list shows one item.
struct Shown {
  std::uint64_t key;  // item * user_groups + group
  std::uint64_t weight;
};

std::size_t threshold_of(std::span<const ListSample* const> parts, std::size_t lists_max) {
  std::size_t threshold = 0;
  for (const ListSample* part : parts) threshold = std::max(threshold, part->threshold());
  const auto lists = [&] {
    std::size_t sum = 0;
    for (const ListSample* part : parts) sum += part->lists_from(threshold);
    return sum;
  };
  while (lists() > lists_max) ++threshold;
  return threshold;
}

// Adds what the pairs of lists that both show the item of `shown`, in order of groups, have in common because of it.
void add_item(std::span<const Shown> shown, OverlapFacts& facts) {
  if (shown.front().key == shown.back().key) return;  // all of one group: most items
  std::uint64_t total = 0;
  for (const Shown& each : shown) total += each.weight;
  for (auto begin = shown.begin(); begin != shown.end();) {
    std::uint64_t of_group = 0;
    auto end = begin;
    for (; end != shown.end() && end->key == begin->key; ++end) of_group += end->weight;
    facts.shared[begin->key % user_groups] += Int128{of_group} * Int128{total - of_group};
    begin = end;
  }
}

}  // namespace

OverlapFacts overlap_of(std::span<const ListSample* const> parts, std::uint32_t cutoff, std::size_t lists_max) {
  const std::size_t threshold = threshold_of(parts, lists_max);
  OverlapFacts facts;
  std::vector<Shown> shown;
  for (const ListSample* part : parts) {
    part->for_each_from(threshold, [&](std::size_t group, std::span<const Interner::Id> items) {
      const auto top = items.first(std::min<std::size_t>(cutoff, items.size()));
      const auto missing = std::count(top.begin(), top.end(), Interner::none);
      const auto distinct = static_cast<double>(static_cast<std::ptrdiff_t>(top.size()) - missing);
      if (distinct == 0) return;
      ++facts.lists[group];
      const auto weight = static_cast<std::uint64_t>(to_q32(1 / std::sqrt(distinct)));
      for (const Interner::Id item : top) {
        if (item != Interner::none) shown.push_back({std::uint64_t{item} * user_groups + group, weight});
      }
    });
  }
  boost::sort::spreadsort::integer_sort(
      shown.begin(), shown.end(), [](const Shown& each, unsigned bits) { return each.key >> bits; },
      [](const Shown& a, const Shown& b) { return a.key < b.key; });
  for (auto begin = shown.begin(); begin != shown.end();) {
    const std::uint64_t item = begin->key / user_groups;
    const auto end = std::find_if(begin, shown.end(), [item](const Shown& each) { return each.key / user_groups != item; });
    add_item({begin, end}, facts);
    begin = end;
  }
  return facts;
}

}  // namespace recmeter
