// The discount of DCG, 1 / log2(rank + 1), and gains; one table for every metric, so that equal sums have equal bits.
// Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002, eq. 2, with the common
// discount that also counts at rank 1.
#pragma once

#include <cstdint>

#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// Requires: rank >= 1.
[[nodiscard]] double discount(std::uint64_t rank) noexcept;

// g(r): the grade itself, 2^r - 1, or whether it is above 0.
[[nodiscard]] double gain_of(double grade, GainKind kind) noexcept;

}  // namespace recmeter
