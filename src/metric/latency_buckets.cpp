#include "recmeter/metric/latency_buckets.h"

#include <algorithm>
#include <array>

namespace recmeter {

namespace {

constexpr double day_ms = 86'400'000;

constexpr std::array<double, latency_buckets> ends = [] {
  std::array<double, latency_buckets> all{};
  double end = 1;
  for (double& each : all) {
    each = end;
    end *= 1.01;
  }
  return all;
}();
static_assert(ends[latency_buckets - 2] < day_ms && ends[latency_buckets - 1] >= day_ms, "the last bucket reaches to a day");

}  // namespace

std::uint32_t latency_bucket(double ms) noexcept {
  const auto* const end = std::upper_bound(ends.begin(), ends.end() - 1, ms);
  return static_cast<std::uint32_t>(end - ends.begin());
}

double latency_bound(std::uint32_t bucket) noexcept {
  return ends[bucket];
}

}  // namespace recmeter
