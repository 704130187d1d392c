#include "recmeter/experiment/sample_ratio.h"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "recmeter/base/check.h"

namespace recmeter {

double sample_ratio_log_e(std::span<const std::uint64_t> counts, std::span<const double> allocation) {
  RECMETER_CHECK(counts.size() == allocation.size(), "each arm has a share");
  constexpr double c = sample_ratio_concentration;
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
