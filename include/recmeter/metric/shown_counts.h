// ShownCounts: what was shown in the lists of a row and what of it was relevant, as a metric sees it: by rank and by group of
// items. A change of the metric is taken apart by them. [S16.4], [S16.5].
//
// Counted where MetricSpec::shown_counts asks for it, for precision, hit_rate and mrr: columns of the lists beside those of
// values. Values and pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/join/scored_list.h"

namespace recmeter {

struct PlannedMetric;

struct ShownCountsSpec {
  bool ranks = false;
  std::size_t item_groups = 0;  // of the catalogue; 0: not by them
};

struct ShownCounts {
  struct OfRank {
    std::uint64_t hits = 0;   // relevant items there
    std::uint64_t first = 0;  // lists whose first relevant item is there
    friend bool operator==(const OfRank&, const OfRank&) = default;
  };
  struct OfGroup {
    std::uint64_t shown = 0;  // items at the ranks up to the cutoff
    std::uint64_t hits = 0;   // relevant ones among them
    friend bool operator==(const OfGroup&, const OfGroup&) = default;
  };
  std::vector<OfRank> ranks = {};    // from 1 to the cutoff; empty: not counted
  std::vector<OfGroup> groups = {};  // as Catalog::ItemGroups has them; empty: not counted
  std::uint64_t groups_id = 0;       // of which groups: Catalog::ItemGroups::id
  friend bool operator==(const ShownCounts&, const ShownCounts&) = default;
};

// Beyond this cutoff nothing is counted.
inline constexpr std::uint32_t shown_ranks_max = 100;

// True of metrics whose change has parts by rank, and by item group.
[[nodiscard]] bool has_rank_parts(const PlannedMetric& metric);
[[nodiscard]] bool has_item_group_parts(const PlannedMetric& metric);

[[nodiscard]] constexpr std::size_t rank_columns(std::uint32_t k) {
  return 2 * std::size_t{k};
}
[[nodiscard]] constexpr std::size_t group_columns(std::size_t groups) {
  return 2 * groups;
}
// Adds a list. What is done to a whole list counts at its first rank.
void add_to_ranks(const ScoredList& list, std::uint32_t k, std::span<std::int64_t> columns);
// Requires: ListPart::groups.
void add_to_groups(const ScoredList& list, std::uint32_t k, std::span<std::int64_t> columns);

// Back from sums of those columns; none: all are zero.
[[nodiscard]] std::vector<ShownCounts::OfRank> ranks_of(std::span<const Int128> columns, std::uint32_t k);
[[nodiscard]] std::vector<ShownCounts::OfGroup> groups_of(std::span<const Int128> columns, std::size_t groups);

}  // namespace recmeter
