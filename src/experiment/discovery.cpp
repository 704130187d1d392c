#include "recmeter/experiment/discovery.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace recmeter {

std::vector<bool> discoveries(std::span<const std::optional<double>> log_e, double fdr) {
  const auto value = [&](std::size_t i) { return log_e[i].value_or(-std::numeric_limits<double>::infinity()); };
  std::vector<std::size_t> order(log_e.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  const auto tested = static_cast<double>(log_e.size());
  std::size_t found = 0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    if (value(order[k - 1]) >= std::log(tested / (fdr * static_cast<double>(k)))) found = k;
  }
  std::vector<bool> out(log_e.size());
  for (std::size_t k = 0; k < found; ++k) out[order[k]] = true;
  return out;
}

}  // namespace recmeter
