// Arithmetic: how a metric's value of one list comes about, in numbers: "2 / (8 + 5)". For people who check it; the value
// itself is the definition's alone. Pure functions; any thread.
#pragma once

#include <span>
#include <string>

#include "recmeter/metric/definition.h"

namespace recmeter {

// What the definition says, or its formula with numbers in the place of k, n, hits_k, R_list, R_user, beta, tp, fp, fn, tn,
// N.
[[nodiscard]] std::string arithmetic_of(const MetricDefinition& metric, const ScoredList& list, std::uint32_t k,
                                        const MetricOptions& options);

// The cutoff; "inf" for a metric of the whole list (`cut: none`).
[[nodiscard]] std::string cutoff_text(std::uint32_t k);

// Terms with " + " between them, in brackets; "0" when there are none.
[[nodiscard]] std::string sum_text(std::span<const std::string> terms);

// At most four decimals, without zeros at the end: 0.8333, 0.4, 2. More where those would be 0: 0.00001.
[[nodiscard]] std::string four_decimals(double value);

}  // namespace recmeter
