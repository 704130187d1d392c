#include "app/generate/item_popularity.h"

namespace recmeter::generate {

ItemPopularity::ItemPopularity(std::size_t count, double exponent) : cells_(count) {
  std::vector<double> weights(count);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] = portable_pow(static_cast<double>(i + 1), -exponent);
    total += weights[i];
  }
  std::vector<std::uint32_t> poor;
  std::vector<std::uint32_t> rich;
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] *= static_cast<double>(count) / total;
    (weights[i] < 1 ? poor : rich).push_back(static_cast<std::uint32_t>(i));
  }
  constexpr double whole = 4294967295.0;
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t small = poor.back();
    const std::uint32_t large = rich.back();
    poor.pop_back();
    cells_[small] = {static_cast<std::uint32_t>(weights[small] * whole), large};
    weights[large] -= 1 - weights[small];
    if (weights[large] < 1) {
      rich.pop_back();
      poor.push_back(large);
    }
  }
  // What is left is whole but for rounding.
  for (const std::uint32_t i : rich) cells_[i] = {~std::uint32_t{0}, i};
  for (const std::uint32_t i : poor) cells_[i] = {~std::uint32_t{0}, i};
}

}  // namespace recmeter::generate
