#include "metric/metrics.h"

#include <array>
#include <cmath>
#include <limits>

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{.lists = "A", .cutoff = 5, .arithmetic = "four items of one list each: 4 * 1/4 * log2(4)", .value = 2},
    WorkedExample{.lists = "AC",
                  .cutoff = 5,
                  .arithmetic = "a b c d twice, e once, T = 9: 4 * 2/9 * log2(9/2) + 1/9 * log2(9)",
                  .value = 2.2810},
};

// From the rarest count to the most frequent one, so that equal counts give equal bits. No term is negative: nothing cancels.
ExposureValue measure(const ExposureFacts& facts, const MetricOptions&, double) {
  double total = 0;
  for (const CountLevel& level : facts.levels) total += static_cast<double>(level.lists) * static_cast<double>(level.items);
  if (total == 0) return {};
  double bits = 0;
  for (const CountLevel& level : facts.levels) {
    const auto lists = static_cast<double>(level.lists);
    bits += lists * static_cast<double>(level.items) / total * std::log2(total / lists);
  }
  return {.value = bits};
}

}  // namespace

const MetricDefinition entropy_metric{
    .name = "entropy",
    .family = Family::exposure,
    .high = std::numeric_limits<double>::infinity(),
    .laws = {Law::none_beyond_family},  // laws of counts: tests/laws/exposure_laws_test.cpp
    .formula = "sum over the items shown in the top k of x/T * log2(T/x); x: how many lists showed the item, T: the sum of x",
    .unit = "bits",
    .says =
        "How evenly exposure is spread over the items shown: 0 for one item, log2(n) for n items shown equally often. Items "
        "never shown do not enter; it grows with traffic, as distinct counts do.",
    .edges =
        "An item counts once per list. All items count, of the catalogue or not. Null when nothing was shown. No interval.",
    .source = "Shannon 1948",
    .examples = examples,
    .exposure_needs = {.counts = true},
    .measure = measure,
};

}  // namespace recmeter
