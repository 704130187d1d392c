// ListLengths: how long the lists of a run are. A table chooses its cutoff by them. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace recmeter {

class ListLengths {
 public:
  static constexpr std::uint32_t length_max = 100;  // longer lists count as so long

  [[nodiscard]] static ListLengths of_one(std::uint64_t length) {
    ListLengths lengths;
    lengths.add(length);
    return lengths;
  }

  void add(std::uint64_t length) { ++counts_[std::min<std::uint64_t>(length, length_max)]; }
  ListLengths& operator+=(const ListLengths& other) {
    for (std::size_t length = 0; length < counts_.size(); ++length) counts_[length] += other.counts_[length];
    return *this;
  }
  [[nodiscard]] std::uint64_t lists() const { return reaching(0); }
  // Lists of at least so many ranks. Requires: at most length_max.
  [[nodiscard]] std::uint64_t reaching(std::uint32_t length) const {
    return std::accumulate(counts_.begin() + length, counts_.end(), std::uint64_t{0});
  }
  // The length of the longest list, at most length_max.
  [[nodiscard]] std::uint32_t longest() const {
    std::uint32_t length = length_max;
    while (length > 0 && counts_[length] == 0) --length;
    return length;
  }

 private:
  std::array<std::uint64_t, length_max + 1> counts_{};
};

inline constexpr std::uint32_t table_cutoff_max = 10;  // ranks beyond are hardly looked at

// The cutoff of a table: the largest of `cutoffs` that half of the lists reach, at most table_cutoff_max; the smallest where
// they reach none. 0: there are no cutoffs.
[[nodiscard]] inline std::uint32_t table_cutoff(std::span<const std::uint32_t> cutoffs, const ListLengths& lists) {
  std::uint32_t best = 0;
  for (const std::uint32_t cutoff : cutoffs) {
    if (cutoff <= table_cutoff_max && 2 * lists.reaching(cutoff) >= lists.lists()) best = std::max(best, cutoff);
  }
  return best > 0 || cutoffs.empty() ? best : *std::ranges::min_element(cutoffs);
}

// The cutoff, or the smallest above it, up to table_cutoff_max, whose ranks hold half of the items acted on: lists of one
// item each that stood at ranks 1 to 3 reach 1, where a third of the actions are. `hits`: ranks of these items.
[[nodiscard]] inline std::uint32_t cutoff_of_hits(std::uint32_t cutoff, std::span<const std::uint32_t> cutoffs,
                                                  const ListLengths& hits) {
  const auto holds_half = [&](std::uint32_t k) { return 2 * hits.reaching(k + 1) <= hits.lists(); };
  if (cutoff == 0 || cutoff >= table_cutoff_max || holds_half(cutoff)) return cutoff;
  std::uint32_t best = cutoff;
  for (const std::uint32_t k : cutoffs) {
    if (k > cutoff && k <= table_cutoff_max && holds_half(k) && (best == cutoff || k < best)) best = k;
  }
  return best;
}

// The one of `cutoffs` that suits lists like these best, of which half end before a rank that others fill: the nearest to the
// rank that half of them reach, as a ratio, at most table_cutoff_max. Lists of four items are nearer to 5 than to 1.
[[nodiscard]] inline std::uint32_t nearest_cutoff(std::span<const std::uint32_t> cutoffs, const ListLengths& lists) {
  std::uint32_t usual = table_cutoff_max;
  while (usual > 1 && 2 * lists.reaching(usual) < lists.lists()) --usual;
  const auto badness = [&](std::uint32_t cutoff) {
    return static_cast<double>(std::max(cutoff, usual)) / static_cast<double>(std::min(cutoff, usual));
  };
  std::uint32_t best = table_cutoff(cutoffs, lists);
  for (const std::uint32_t cutoff : cutoffs) {
    if (cutoff <= table_cutoff_max && badness(cutoff) < badness(best)) best = cutoff;
  }
  return best;
}

// The cutoff of a table that compares arms: one that suits each with a twentieth of their lists. Where lists of one end at
// rank 5, precision@10 would halve its value.
[[nodiscard]] inline std::uint32_t table_cutoff(std::span<const std::uint32_t> cutoffs, std::span<const ListLengths> arms) {
  ListLengths all;
  for (const ListLengths& arm : arms) all += arm;
  std::uint32_t cutoff = table_cutoff(cutoffs, all);
  for (const ListLengths& arm : arms) {
    if (20 * arm.lists() >= all.lists()) cutoff = std::min(cutoff, nearest_cutoff(cutoffs, arm));
  }
  return cutoff;
}

}  // namespace recmeter
