// Whether the arms have the shares that were planned, for as many looks as there are.
//
// The Bayes factor of a Dirichlet prior around the plan against the plan itself: a martingale under it, so that looking all
// the while is wrong at most once in 1,000 experiments (Lindon, Malek 2022: Anytime-valid inference for multinomial count
// data). Pure functions; any thread. [S10.28]
#pragma once

#include <cstdint>
#include <span>

namespace recmeter {

inline constexpr double sample_ratio_concentration = 10'000;
inline constexpr double sample_ratio_alarm = 6.907755278982137;  // ln 1000

// ln of the factor. Requires: as many counts as shares; shares are positive and sum to 1.
[[nodiscard]] double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation);

}  // namespace recmeter
