// Exact sums: per-list values as integers, so that sums can be added, subtracted and merged in any order with the same bits.
//
// [S6]: each per-list value is rounded once to a multiple of 2^-32, ties to even, and summed in integers; a published
// value is the correctly rounded quotient of exact sums. Panes hold 64 bits (2^31 lists of value 1 per user group), windows
// 128.
#pragma once

#include <cstdint>

namespace recmeter {

__extension__ typedef __int128 Int128;

inline constexpr int q32_fraction_bits = 32;

// `value` in units of 2^-32, ties to even. Requires: |value| < 2^30.
[[nodiscard]] std::int64_t to_q32(double value) noexcept;

// The same for |value| < 2^60.
[[nodiscard]] Int128 to_q32_wide(double value) noexcept;

// sum * 2^-32 / count, correctly rounded (to nearest, ties to even). Requires: count > 0.
[[nodiscard]] double mean_of_q32(Int128 sum, std::uint64_t count) noexcept;

// numerator / denominator, correctly rounded. Requires: denominator > 0.
[[nodiscard]] double share_of(std::uint64_t numerator, std::uint64_t denominator) noexcept;

}  // namespace recmeter
