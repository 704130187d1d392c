#include "recmeter/window/sliding_overlap.h"

#include <algorithm>
#include <bit>

namespace recmeter {

// Adds the item's part of every group's sum, or takes it off.
void SlidingOverlap::count(const Item& item, int sign) {
  const std::uint64_t* weight = weights_.data() + item.first;
  std::uint64_t total = 0;
  for (int i = 0; i < std::popcount(item.groups); ++i) total += weight[i];
  for (std::uint64_t rest = item.groups; rest != 0; rest &= rest - 1, ++weight) {
    facts_.shared[static_cast<std::size_t>(std::countr_zero(rest))] += sign * (Int128{*weight} * Int128{total - *weight});
  }
}

void SlidingOverlap::apply(const OverlapWeights& pane, bool entering) {
  for (std::size_t g = 0; g < user_groups; ++g) {
    facts_.lists[g] += entering ? pane.lists(g) : -pane.lists(g);
  }
  changing_.clear();
  pane.for_each([&](std::uint32_t number, std::size_t group, std::uint64_t weight) {
    Item& item = items_.at(number);
    if (!item.is_changing) {
      item.is_changing = true;
      changing_.push_back(number);
      count(item, -1);
    }
    add(item, group, entering ? weight : -weight);
  });
  for (const std::uint32_t number : changing_) {
    Item& item = items_.at(number);
    item.is_changing = false;
    count(item, 1);
  }
}

void SlidingOverlap::leave_empty(const OverlapWeights& pane) {
  pane.for_each([this](std::uint32_t number, std::size_t, std::uint64_t) { items_.at(number) = {}; });
  weights_.clear();
  for (auto& of_size : free_runs_) of_size.clear();
  facts_ = {};
}

// To take off is to add the negative.
void SlidingOverlap::add(Item& item, std::size_t group, std::uint64_t weight) {
  const std::uint64_t bit = std::uint64_t{1} << group;
  const auto at = static_cast<std::size_t>(std::popcount(item.groups & (bit - 1)));
  if ((item.groups & bit) == 0) {
    insert(item, at, weight);
    item.groups |= bit;
    return;
  }
  const auto run = weights_.begin() + item.first;
  const auto of_group = run + static_cast<std::ptrdiff_t>(at);
  *of_group += weight;
  if (*of_group != 0) return;
  std::copy(of_group + 1, run + std::popcount(item.groups), of_group);
  item.groups &= ~bit;
  if (item.groups == 0) free_runs_[item.size].push_back(item.first);
}

void SlidingOverlap::insert(Item& item, std::size_t at, std::uint64_t weight) {
  const auto held = static_cast<std::size_t>(std::popcount(item.groups));
  if (held == 0) {
    item.size = 0;
    item.first = make_run(0);
  } else if (held == std::size_t{1} << item.size) {
    const std::uint32_t larger = make_run(static_cast<std::uint8_t>(item.size + 1));
    std::copy_n(weights_.begin() + item.first, held, weights_.begin() + larger);
    free_runs_[item.size++].push_back(item.first);
    item.first = larger;
  }
  const auto run = weights_.begin() + item.first;
  const auto end = run + static_cast<std::ptrdiff_t>(held);
  const auto place = run + static_cast<std::ptrdiff_t>(at);
  std::copy_backward(place, end, end + 1);
  *place = weight;
}

std::uint32_t SlidingOverlap::make_run(std::uint8_t size) {
  std::vector<std::uint32_t>& free = free_runs_[size];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<std::uint32_t>(weights_.size());
  weights_.resize(weights_.size() + (std::size_t{1} << size));
  return first;
}

std::size_t SlidingOverlap::memory_bytes() const {
  std::size_t free = changing_.capacity();
  for (const auto& of_size : free_runs_) free += of_size.capacity();
  return sizeof(*this) + items_.memory_bytes() + weights_.capacity() * sizeof(std::uint64_t) + free * sizeof(std::uint32_t);
}

}  // namespace recmeter
