// The parts of the difference of two rows of a mean, as doubles: by the values of a segment key (Kitagawa 1955: Components of
// a difference between two rates), by factors, by rank and by item group. [S16.1], [S16.3] to [S16.5].
//
// They add up to the difference but for rounding (attribution/exact_parts.h). What is missing on one side takes the other's.
// a: before, b: after. Swapping them negates each part, bit for bit. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/attribution/mean_row.h"

namespace recmeter {

// The part of one value of a segment key, before and after.
struct FactsPair {
  MeanFacts a;
  MeanFacts b;
};

// Requires: both have a value.
[[nodiscard]] double difference_of(const FactsPair& whole);

// All `within`, then all `mix`, in the order of `segments`. Requires: `whole` has both values.
[[nodiscard]] std::vector<double> segment_parts(const FactsPair& whole, std::span<const FactsPair> segments);

// relevant_share, given_relevant. Empty: the metric has none, or neither side has evidence.
struct FactorParts {
  double relevant_share = 0;
  double given_relevant = 0;
};
[[nodiscard]] std::optional<FactorParts> factor_parts(const FactsPair& whole);

// A rank's addition to the value of a list.
enum class RankForm : std::uint8_t {
  precision,  // 1 / k for each relevant item
  hit_rate,   // 1 for the first one
  mrr,        // 1 / i for the first one
};
// By the name of the metric; empty: it has no parts by rank.
[[nodiscard]] std::optional<RankForm> rank_form(std::string_view metric);

// Counts at each rank from 1 on: items for `precision`, else lists.
struct RankCounts {
  std::vector<std::uint64_t> counts;
  std::uint64_t lists = 0;  // > 0
};
// By rank, from 1 on. Requires: as many ranks in both, the cutoff.
[[nodiscard]] std::vector<double> rank_parts(const RankCounts& a, const RankCounts& b, RankForm form);

// Items of one group of the catalogue at ranks 1 to k.
struct ShownItems {
  std::uint64_t shown = 0;
  std::uint64_t hits = 0;
};
struct ItemGroupRows {
  std::string value;
  ShownItems a;
  ShownItems b;
};
// All `within`, then all `mix`, in the order of `groups`, then `short_lists`: of lists with less than k items. Requires: some
// item was shown on each side, and places_a and places_b, lists times k, are not less.
[[nodiscard]] std::vector<double> item_group_parts(std::span<const ItemGroupRows> groups, std::uint64_t places_a,
                                                   std::uint64_t places_b);

}  // namespace recmeter
