// SlidingOverlap: OverlapFacts of a window that moves, at one cutoff, at the cost of the panes that come and go: an item of
// such a pane costs the user groups that were shown it, at most 64. Exact, so that a pane that has left leaves no trace.
// Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recmeter/metric/overlap_facts.h"
#include "recmeter/window/overlap_weights.h"
#include "recmeter/window/paged_array.h"

namespace recmeter {

class SlidingOverlap {
 public:
  void enter(const OverlapWeights& pane) { apply(pane, true); }
  // Requires: the pane has entered.
  void leave(const OverlapWeights& pane) { apply(pane, false); }
  // The same where nothing else is inside, for less.
  void leave_empty(const OverlapWeights& pane);

  [[nodiscard]] const OverlapFacts& facts() const { return facts_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static_assert(user_groups == 64, "a set of groups is a word");

  // An item's weights: of each group in `groups` one, ascending, in the run of weights_ that begins at `first` and has room
  // for 2^size of them. A weight is above 0; without groups there is no run.
  struct Item {
    std::uint64_t groups = 0;
    std::uint32_t first = 0;
    std::uint8_t size = 0;
    bool is_changing = false;
  };

  void apply(const OverlapWeights& pane, bool entering);
  void add(Item& item, std::size_t group, std::uint64_t weight);
  void insert(Item& item, std::size_t at, std::uint64_t weight);
  [[nodiscard]] std::uint32_t make_run(std::uint8_t size);
  void count(const Item& item, int sign);

  PagedArray<Item, 32> items_;
  std::vector<std::uint64_t> weights_;
  std::array<std::vector<std::uint32_t>, 7> free_runs_;  // by size
  std::vector<std::uint32_t> changing_;                  // items, during apply()
  OverlapFacts facts_;
};

}  // namespace recmeter
