#include "recmeter/attribution/exact_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace recmeter {

ExactParts exact_parts(std::span<const double> parts, double whole, double unit) {
  ExactParts out;
  out.parts.reserve(parts.size());
  const double whole_units = std::nearbyint(whole / unit);  // half to even
  double left = whole_units;
  std::vector<double> remainders;
  for (const double part : parts) {
    const double units = part / unit;
    out.parts.push_back(std::nearbyint(units));
    remainders.push_back(units - out.parts.back());
    left -= out.parts.back();
  }
  const double step = left < 0 ? -1 : 1;
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return step * remainders[a] > step * remainders[b]; });
  // More than a unit each is left only where the parts do not add up even as they came.
  for (std::size_t place = 0; left != 0 && !order.empty(); place = (place + 1) % order.size(), left -= step) {
    out.parts[order[place]] += step;
  }
  const auto scaled = [unit](double units) { return units == 0 ? 0 : units * unit; };  // never -0
  out.whole = scaled(whole_units);
  for (double& part : out.parts) part = scaled(part);
  return out;
}

}  // namespace recmeter
