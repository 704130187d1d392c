#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{.lists = "AC",
                  .cutoff = 5,
                  .arithmetic = "a b c d twice, e once, T = 9, m = 2: four items of 1 - C(7,2)/C(9,2) = 15/36, one of "
                                "1 - C(8,2)/C(9,2) = 8/36; 68/36",
                  .value = 1.8889,
                  .options = {.exposures = 2}},
};

// How much ln(n!) exceeds n ln n - n + ln(2 pi n)/2; for n >= 16 to 1e-14.
long double stirling_rest(long double n) {
  const long double square = n * n;
  return (1.0L / 12 - (1.0L / 360 - (1.0L / 1260 - 1.0L / 1680 / square) / square) / square) / n;
}

// ln(u! / (u - s)!) - s ln u, without the large terms that cancel. Requires: u - s >= 16.
long double log_falling_ratio(long double u, long double s) {
  return -(u - s + 0.5L) * std::log1p(-s / u) - s + stirling_rest(u) - stirling_rest(u - s);
}

// 1 - C(total - x, m) / C(total, m): how likely m of `total` exposures, drawn without return, show an item that has x of
// them. The quotient does not change when x and m are exchanged. Requires: x <= total, m <= total.
double chance_shown(std::uint64_t total, std::uint64_t x, std::uint64_t m) {
  constexpr std::uint64_t few = 64;  // factors to multiply one by one
  constexpr std::uint64_t rest_min = 16;
  const std::uint64_t small = std::min(x, m);
  const std::uint64_t large = std::max(x, m);
  if (small > total - large) return 1;
  const auto t = static_cast<long double>(total);
  const auto s = static_cast<long double>(small);
  const auto l = static_cast<long double>(large);
  if (small <= few) {
    long double log_ratio = 0;
    for (std::uint64_t i = 0; i < small; ++i) log_ratio += std::log1p(-l / (t - static_cast<long double>(i)));
    return static_cast<double>(-std::expm1(log_ratio));
  }
  // More than 64 of each and fewer than 16 exposures besides: the quotient is below 1e-20.
  if (total - large - small < rest_min) return 1;
  const long double log_ratio = s * std::log1p(-l / t) + log_falling_ratio(t - l, s) - log_falling_ratio(t, s);
  return static_cast<double>(-std::expm1(log_ratio));
}

ExposureValue measure(const ExposureFacts& facts, const MetricOptions& options, double) {
  std::uint64_t total = 0;
  for (const CountLevel& level : facts.levels) total += level.lists * level.items;
  if (total < options.exposures) return {};
  double items = 0;
  for (const CountLevel& level : facts.levels) {
    items += static_cast<double>(level.items) * chance_shown(total, level.lists, options.exposures);
  }
  return {.value = items};
}

}  // namespace

const MetricDefinition rarefied_items_metric{
    .name = "rarefied_items",
    .family = Family::exposure,
    .high = std::numeric_limits<double>::infinity(),
    .takes = {MetricOption::exposures},
    .laws = {Law::none_beyond_family},  // laws of counts: tests/laws/exposure_laws_test.cpp
    .formula =
        "sum over the items shown in the top k of 1 - C(T - x, m) / C(T, m); x: how many lists showed the item, T: the "
        "sum of x, m: the option exposures",
    .unit = "items",
    .says =
        "The expected number of distinct items among m exposures drawn from those of the window: what can be compared "
        "between windows and variants of different traffic, as distinct_items cannot.",
    .edges =
        "An item counts once per list. Null when T < m: fewer exposures than asked for. m = T gives distinct_items. Exact "
        "to 1e-9. No interval.",
    .source = "Hurlbert 1971 (rarefaction)",
    .examples = examples,
    .exposure_needs = {.counts = true},
    .measure = measure,
};

}  // namespace recmeter
