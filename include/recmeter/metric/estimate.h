// Estimate: from exact sums per user group to a published value, its standard error and interval. SEMANTICS §6.
//
// Lists of one user are not independent, so users are hashed into 64 groups and uncertainty comes from leaving out one group
// at a time: the delete-a-group jackknife (Kott: The delete-a-group jackknife, J. Official Statistics 17(4), 2001), made on
// the logit scale for a metric in [low, high], with degrees of freedom from the kurtosis of the group effects.
//
// Pure functions; any thread. Sums over groups run g = 0..63, so equal sums give equal bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

inline constexpr std::size_t user_groups = 64;
inline constexpr std::size_t evidence_groups_min = 20;

// The group of a user: the top 6 bits of its hash (event/join_key.h).
[[nodiscard]] constexpr std::size_t user_group(std::uint64_t hash) {
  return hash >> 58;
}

struct GroupSums {
  std::array<Int128, user_groups> value{};            // sum of per-list values, in 2^-32
  std::array<std::uint64_t, user_groups> lists{};     // lists in the mean
  std::array<std::uint64_t, user_groups> evidence{};  // those with evidence; for shares: all
};

struct Estimate {
  std::optional<double> value;
  std::optional<double> se;
  std::optional<std::pair<double, double>> ci;
  std::optional<double> given_relevant;
  std::optional<double> relevant_share;
};

// `low`, `high`: the metric's range. Requires: 0 < confidence < 1.
[[nodiscard]] Estimate estimate_mean(const GroupSums& sums, double low, double high, double confidence);

}  // namespace recmeter
