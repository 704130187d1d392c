// OverlapWeights: what the lists of one pane give to OverlapFacts at one cutoff: weights by item and user group.
// Added and merged in any order with the same result. Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "recmeter/base/interner.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/window/sum_parts.h"

namespace recmeter {

class OverlapWeights {
 public:
  // The top k of a list: `items` by rank, an item at its first rank only, Interner::none elsewhere.
  void add(std::span<const Interner::Id> items, std::size_t group);
  void merge(const OverlapWeights& other);
  // The same in other numbers: `to[id]` for each id.
  [[nodiscard]] OverlapWeights translated(std::span<const std::uint32_t> to) const;

  [[nodiscard]] std::uint64_t lists(std::size_t group) const { return lists_[group]; }
  // visit(item, group, weight in 2^-32), in no order; a weight may come in several parts.
  template <class Visit>
  void for_each(Visit&& visit) const {
    weights_.for_each([&](std::uint64_t key, std::uint64_t weight) {
      visit(static_cast<std::uint32_t>(key / user_groups), static_cast<std::size_t>(key % user_groups), weight);
    });
  }
  [[nodiscard]] std::size_t size() const { return weights_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const { return sizeof(*this) + weights_.memory_bytes(); }

 private:
  SumParts weights_;  // by item * user_groups + group
  std::array<std::uint64_t, user_groups> lists_{};
};

}  // namespace recmeter
