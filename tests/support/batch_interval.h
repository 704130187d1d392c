// Means of exact sums and their jackknife intervals over the 64 user groups. [S6].
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
// The same of values up to 2^60, as sums of exponential gains are.
[[nodiscard]] WideSum to_fixed_wide(double value);

// The quotient of a sum of such multiples, rounded to one again, ties to even. Requires: count > 0.
[[nodiscard]] std::int64_t fixed_quotient(WideSum sum, std::uint64_t count);

struct GroupSum {
  WideSum sum = 0;             // of to_fixed values
  std::uint64_t lists = 0;     // in the mean
  std::uint64_t evidence = 0;  // of these, with evidence
};
using GroupSums = std::array<GroupSum, user_groups>;

struct Estimate {
  std::optional<double> value;
  std::optional<double> se;
  std::optional<std::pair<double, double>> ci;
  std::optional<double> given_relevant;
  std::optional<double> relevant_share;
};

// Where a value lies; high may be infinite.
struct Range {
  double low = 0;
  double high = 1;
};

// Nothing but a share where no list is in the mean.
[[nodiscard]] Estimate estimate_mean(const GroupSums& groups, double confidence, Range range = {});

// From a value and the values θ_(g) without one group each; `evidence_groups` hold something with evidence. No shares.
// `all_equal`: what exact sums say of the θ_(g) ([S6.19]); nothing: the values decide.
[[nodiscard]] Estimate estimate_left_out(std::optional<double> value, const std::vector<std::optional<double>>& without,
                                         std::size_t evidence_groups, double confidence, Range range,
                                         std::optional<bool> all_equal = {});

}  // namespace recmeter::support
