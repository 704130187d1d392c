// Means of exact sums and their jackknife intervals over the 64 user groups. SEMANTICS §6.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace recmeter::support {

__extension__ using WideSum = __int128;

inline constexpr std::size_t user_groups = 64;

// A value as a multiple of 2^-32, ties to even.
[[nodiscard]] std::int64_t to_fixed(double value);

struct GroupSum {
  WideSum sum = 0;             // of to_fixed values
  std::uint64_t lists = 0;     // in the mean
  std::uint64_t evidence = 0;  // of these, with evidence
};
using GroupSums = std::array<GroupSum, user_groups>;

struct Estimate {
  double value = 0;
  std::optional<double> se;
  std::optional<std::pair<double, double>> ci;
  std::optional<double> given_relevant;
  double relevant_share = 0;
};

// A value in [0, 1] and its values without one group each, of those for which they are defined. `groups`: how many there are;
// `with_evidence`: of these.
[[nodiscard]] Estimate estimate_left_out(double value, std::size_t groups, std::size_t with_evidence,
                                         const std::vector<double>& without, double confidence);

// Of a metric with range [0, 1]. Requires: at least one list.
[[nodiscard]] Estimate estimate_mean(const GroupSums& groups, double confidence);

}  // namespace recmeter::support
