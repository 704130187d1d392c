// Weights of ranks in DCG, and of gains; one table for every metric, so that equal sums have equal bits.
// Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002, eq. 2, which is `log2_max2`;
// the common discount, 1 / log2(rank + 1), also counts at rank 1.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// Requires: rank >= 1.
[[nodiscard]] double discount(std::uint64_t rank, Discount kind) noexcept;

// g(r): the grade itself, 2^r - 1, or whether it is above 0.
[[nodiscard]] double gain_of(double grade, GainKind kind) noexcept;

// The gains of the first k ranks, each times its discount.
[[nodiscard]] double discounted_gain(const ScoredList& list, std::uint32_t k, GainKind gain, Discount kind);

// One term of such a sum: "3 / 2", the gain over the inverse of the discount.
[[nodiscard]] std::string gain_term(double gain, std::uint64_t rank, Discount kind);
// All of discounted_gain().
[[nodiscard]] std::string gain_text(const ScoredList& list, std::uint32_t k, GainKind gain, Discount kind);

}  // namespace recmeter
