#include "recmeter/experiment/sample_ratio.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "recmeter/base/check.h"

namespace recmeter {

double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation) {
  std::array<double, sample_ratio_concentrations.size()> log_e{};
  for (std::size_t i = 0; i < log_e.size(); ++i) {
    log_e[i] = sample_ratio_log_e(counts, allocation, sample_ratio_concentrations[i]);
  }
  const double largest = *std::ranges::max_element(log_e);
  double sum = 0;  // of quotients by the largest: none overflows
  for (const double one : log_e) sum += std::exp(one - largest);
  return largest + std::log(sum / static_cast<double>(log_e.size()));
}

double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation, double concentration) {
  RECMETER_CHECK(counts.size() == allocation.size(), "each arm has a share");
  const double c = concentration;
  double n = 0;
  for (const std::uint64_t count : counts) n += static_cast<double>(count);
  double log_e = boost::math::lgamma(c) - boost::math::lgamma(c + n);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double prior = c * allocation[i];
    const auto count = static_cast<double>(counts[i]);
    log_e += boost::math::lgamma(prior + count) - boost::math::lgamma(prior) - count * std::log(allocation[i]);
  }
  return log_e;
}

}  // namespace recmeter
