// Estimate: from exact sums per user group to a published value, its standard error and interval. [S6].
//
// Lists of one user are not independent, so users are hashed into 64 groups and uncertainty comes from leaving out one group
// at a time: the delete-a-group jackknife (Kott: The delete-a-group jackknife, J. Official Statistics 17(4), 2001), made on
// the logit scale for a metric in [low, high], with degrees of freedom from the kurtosis of the group effects.
//
// A value made of sums (PooledForm) is left-out group by group in the same way, with the value of the sums in the mean's
// place. A metric in [low, infinity) has the scale ln(x - low).
//
// Pure functions; any thread. Sums over groups run g = 0..63, so equal sums give equal bits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

inline constexpr std::size_t user_groups = 64;
inline constexpr std::size_t evidence_groups_min = 20;
// So many users fall into as many groups, mostly: what a person is told of it. The page says it too
// (web/src/model/outcome.ts).
inline constexpr std::string_view evidence_users_needed = "25 to 30";

// The group of a user: the top 6 bits of its hash (event/join_key.h).
[[nodiscard]] constexpr std::size_t user_group(std::uint64_t hash) {
  return hash >> 58;
}

struct GroupSums {
  std::array<Int128, user_groups> value{};            // sum of per-list values, in 2^-32
  std::array<std::uint64_t, user_groups> lists{};     // lists in the mean
  std::array<std::uint64_t, user_groups> evidence{};  // those with evidence; for shares: all

  GroupSums& operator+=(const GroupSums& other);
};

// A value without one group each, of the groups that hold anything: nullopt where undefined.
struct LeftOutValues {
  std::array<std::optional<double>, user_groups> theta{};
  std::uint64_t groups = 0;         // that hold anything, a bit each
  std::size_t evidence_groups = 0;  // that hold something with evidence

  void add(std::size_t group, std::optional<double> value) {
    theta[group] = value;
    groups |= std::uint64_t{1} << group;
  }
  [[nodiscard]] bool holds(std::size_t group) const { return (groups >> group & 1) != 0; }
  friend bool operator==(const LeftOutValues&, const LeftOutValues&) = default;
};

struct Estimate {
  std::optional<double> value;
  std::optional<double> se;
  std::optional<std::pair<double, double>> ci;
  std::optional<double> given_relevant;
  std::optional<double> relevant_share;
  // Of a mean: what was added up, and over how many. Of several means these may be added, not the means themselves.
  std::optional<double> numerator = {};
  std::optional<double> denominator = {};
  LeftOutValues left_out = {};
  // Of an off-policy estimate: why there is no value (metric/weight_facts.h); whether its propensities are wrong.
  std::string_view refused = {};
  bool is_suspect = false;
};

// The range a value lies in; high may be infinite.
struct ValueRange {
  double low = 0;
  double high = 1;
};

// Requires: 0 < confidence < 1. relevant_share is over the lists in the mean.
[[nodiscard]] Estimate estimate_mean(const GroupSums& sums, ValueRange range, double confidence);

// A metric whose value is made of sums: the sums of each group.
struct GroupColumns {
  std::array<std::uint64_t, user_groups> lists{};
  std::array<std::uint64_t, user_groups> evidence{};
  // Row g: the metric's columns summed over group g; user_groups rows of `stride`. Empty: all are zero.
  std::span<const Int128> columns;
  std::size_t stride = 0;
};

// No given_relevant; relevant_share is over the lists in the mean.
[[nodiscard]] Estimate estimate_pooled(const PooledForm& form, const GroupColumns& sums, std::uint32_t cutoff,
                                       const MetricOptions& options, double confidence);

// From a value and what it would be without one group each. exact_without(group): the exact sums behind that value, which
// decide whether all are equal; asked only where the rounded ones are. Empty: these decide.
using ExactWithout = std::function<Quotient(std::size_t group)>;
[[nodiscard]] Estimate estimate_left_out(std::optional<double> value, const LeftOutValues& left_out,
                                         const ExactWithout& exact_without, ValueRange range, double confidence);

// The difference of two values over the same user groups, first - second: what they have in common cancels in it. A group
// that only one of them has leaves the other as it is. Its interval is made on the plain scale.
struct Valued {
  std::optional<double> value;
  const LeftOutValues& left_out;
};
[[nodiscard]] Estimate estimate_difference(const Valued& first, const Valued& second, double confidence);

// first / second - 1, by the same groups; its interval is made on the scale ln(first / second). Undefined where a value, or
// one without a group, is not above 0. [S6.21].
[[nodiscard]] Estimate estimate_relative(const Valued& first, const Valued& second, double confidence);

// numerator / denominator, correctly rounded. Requires: denominator > 0.
[[nodiscard]] double quotient_of(Int128 numerator, Int128 denominator) noexcept;

}  // namespace recmeter
