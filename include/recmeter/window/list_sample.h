// ListSample: some of a cell's lists, to be compared with each other: all of them, or of many a random part of bounded size.
//
// Adaptive sampling (Flajolet: On adaptive sampling, Computing 43(4), 1990; the idea is M. Wegman's), of lists. A list's
// level is the number of leading zero bits of its hash, so that 2^-j of the lists have level j or more. The sample holds the
// lists of level threshold() or more; the threshold is the smallest that leaves no more lists than lists_max. It follows that
// the sample is a function of the set of lists, in whatever order they came and in whatever parts they were put together, and
// that lists are in it whatever they show and whoever saw them. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/interner.h"

namespace recmeter {

class ListSample {
 public:
  // All lists of a sample, and samples that are merged, have the same lists_max. `items`: by rank, an item at its first rank
  // only, Interner::none elsewhere; `group`: of the user, below 2^8.
  void add(std::uint64_t hash, std::size_t group, std::span<const Interner::Id> items, std::size_t lists_max);
  // Of this level.
  void add_at(std::size_t level, std::size_t group, std::span<const Interner::Id> items, std::size_t lists_max);
  // Drops the lists of lower levels, now and from now on.
  void raise(std::size_t threshold, std::size_t lists_max);
  void merge(const ListSample& other);
  // The same in other numbers: `to[id]` for each id.
  [[nodiscard]] ListSample translated(std::span<const std::uint32_t> to) const;

  [[nodiscard]] std::size_t threshold() const { return threshold_; }
  // Of level `level` or more. Requires: level >= threshold().
  [[nodiscard]] std::size_t lists_from(std::size_t level) const;
  // visit(group, items) for each of them, in no order.
  template <class Visit>
  void for_each_from(std::size_t level, Visit&& visit) const {
    for_each([&](std::size_t, std::size_t group, std::span<const Interner::Id> items) { visit(group, items); }, level);
  }
  // visit(level, group, items), by levels.
  template <class Visit>
  void for_each(Visit&& visit, std::size_t from_level = 0) const {
    for (std::size_t at = from_level; at < levels_.size(); ++at) {
      const std::vector<std::uint32_t>& words = levels_[at].words;
      for (std::size_t begin = 0; begin < words.size(); begin += 1 + length_of(words[begin])) {
        visit(at, std::size_t{words[begin] % group_limit}, std::span(words).subspan(begin + 1, length_of(words[begin])));
      }
    }
  }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t group_limit = 256;
  struct Level {
    std::vector<std::uint32_t> words;  // of each list: length * group_limit + group, then its items
    std::size_t lists = 0;
  };
  [[nodiscard]] static std::size_t length_of(std::uint32_t head) { return head / group_limit; }
  void drop_below(std::size_t threshold);
  void keep_to_limit();

  std::vector<Level> levels_;  // by level; empty below the threshold
  std::size_t lists_ = 0;
  std::size_t lists_max_ = 0;  // 0: nothing added yet
  std::size_t threshold_ = 0;
};

}  // namespace recmeter
