// Latency buckets: times in milliseconds, 1 % wide each, so that counts of lists say what share of them was how fast.
// [S5.31].
//
// Bucket 0 holds times below 1 ms, bucket i those from 1.01^(i-1) to below 1.01^i. The last one reaches to a day and holds
// everything longer too. Bounds come from one table of products, which are the same doubles on every machine.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recmeter {

inline constexpr std::size_t latency_buckets = 1838;

// Requires: 0 <= ms.
[[nodiscard]] std::uint32_t latency_bucket(double ms) noexcept;
// Where the bucket ends, as published. Requires: bucket < latency_buckets.
[[nodiscard]] double latency_bound(std::uint32_t bucket) noexcept;

}  // namespace recmeter
