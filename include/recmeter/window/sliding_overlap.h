// SlidingOverlap: OverlapFacts of a window that moves, at one cutoff, at the cost of the panes that come and go: an item of
// such a pane costs the user groups that were shown it, at most 64. Exact, so that a pane that has left leaves no trace.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "recmeter/metric/overlap_facts.h"
#include "recmeter/window/overlap_weights.h"

namespace recmeter {

class SlidingOverlap {
 public:
  void enter(const OverlapWeights& pane) { apply(pane, true); }
  // Requires: the pane has entered.
  void leave(const OverlapWeights& pane) { apply(pane, false); }

  [[nodiscard]] const OverlapFacts& facts() const { return facts_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct GroupWeight {
    std::size_t group;
    std::uint64_t weight;
  };
  using Weights = std::vector<GroupWeight>;  // of an item, by group, ascending; weights > 0

  struct PaneEntry {
    std::uint32_t item;
    GroupWeight of;
  };
  void apply(const OverlapWeights& pane, bool entering);
  void count(const Weights& weights, int sign);

  std::unordered_map<std::uint32_t, Weights> items_;  // never gone through in order: integers do not depend on it
  std::size_t weights_capacity_ = 0;                  // of all of them together
  OverlapFacts facts_;
};

}  // namespace recmeter
