#include "recmeter/window/overlap_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

void OverlapWeights::add(std::span<const Interner::Id> items, std::size_t group) {
  const auto missing = std::count(items.begin(), items.end(), Interner::none);
  const auto shown = static_cast<double>(static_cast<std::ptrdiff_t>(items.size()) - missing);
  if (shown == 0) return;
  const auto weight = static_cast<std::uint64_t>(to_q32(1 / std::sqrt(shown)));
  for (const Interner::Id item : items) {
    if (item != Interner::none) weights_.add(std::uint64_t{item} * user_groups + group, weight);
  }
  ++lists_[group];
}

void OverlapWeights::merge(const OverlapWeights& other) {
  weights_.merge(other.weights_);
  std::transform(lists_.begin(), lists_.end(), other.lists_.begin(), lists_.begin(), std::plus<>());
}

OverlapWeights OverlapWeights::translated(std::span<const std::uint32_t> to) const {
  OverlapWeights out;
  out.weights_ = weights_.renamed(
      [&](std::uint64_t key) { return std::uint64_t{to[key / user_groups]} * user_groups + key % user_groups; });
  out.lists_ = lists_;
  return out;
}

}  // namespace recmeter
