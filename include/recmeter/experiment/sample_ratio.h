// Whether the arms have the shares that were planned, for as many looks as there are.
//
// The Bayes factor of a Dirichlet prior around the plan against the plan itself: a martingale under it, so that looking all
// the while is wrong at most once in 1,000 experiments (Lindon, Malek 2022: Anytime-valid inference for multinomial count
// data). A prior close to the plan finds small differences among many users and is blind where users are few, a wide one the
// other way round. The mean of four factors is a martingale too, and finds both. Pure functions; any thread. [S10.28]
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace recmeter {

// How many users a prior counts as. Ascending: the mean is added up in this order.
inline constexpr std::array<double, 4> sample_ratio_concentrations{10, 100, 1'000, 10'000};
inline constexpr double sample_ratio_alarm = 6.907755278982137;  // ln 1000

// Both require: as many counts as shares; shares are positive and sum to 1.

// ln of the mean of the factors.
[[nodiscard]] double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation);
// ln of one factor.
[[nodiscard]] double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation,
                                        double concentration);

}  // namespace recmeter
