#include "metric/metrics.h"

#include <algorithm>
#include <array>

#include "recmeter/metric/estimate.h"

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{.lists = "AC",
                  .cutoff = 5,
                  .arithmetic = "A shows a b c d, C shows a b c d e: counts 0 0 0 0 0 1 2 2 2 2 of N = 10 items; "
                                "(1 * 1 + (3 + 5 + 7 + 9) * 2) / (10 * 9) = 49 / 90",
                  .value = 0.5444,
                  .options = {.catalog_size = 10}},
    WorkedExample{.lists = "A",
                  .cutoff = 1,
                  .arithmetic = "one item has all exposure: (N - 1) / N = 9 / 10",
                  .value = 0.9,
                  .options = {.catalog_size = 10}},
};

// Items of equal counts stand at ranks after+1..after+n of the ascending order; their 2i - N - 1 add up to n(2*after + n -
// N).
ExposureValue measure(const ExposureFacts& facts, const MetricOptions&, double) {
  const std::uint64_t items = std::max(facts.catalog_size, facts.distinct_in_catalog);
  const auto all = static_cast<Int128>(items);
  Int128 after = all - static_cast<Int128>(facts.distinct_in_catalog);
  Int128 weighted = 0;
  Int128 total = 0;
  for (const CountLevel& level : facts.levels_in_catalog) {
    const auto count = static_cast<Int128>(level.items);
    const Int128 lists = count * static_cast<Int128>(level.lists);
    weighted += lists * (2 * after + count - all);
    total += lists;
    after += count;
  }
  if (total == 0) return {};
  return {.value = quotient_of(weighted, all * total)};
}

}  // namespace

const MetricDefinition gini_metric{
    .name = "gini",
    .family = Family::exposure,
    .needs_catalog = true,
    .laws = {Law::none_beyond_family},  // laws of counts: tests/laws/exposure_laws_test.cpp
    .formula =
        "sum over i = 1..N of (2i - N - 1) * x_(i), divided by N * sum of x; x_(1) <= ... <= x_(N): how many lists "
        "showed each item of the catalogue in their top k, 0 for those never shown",
    .says =
        "How unequally exposure is spread over the catalogue: 0 when every item is shown equally often, (N - 1)/N when one "
        "item has it all. It falls as traffic grows, since more items are shown at all: compare windows of equal traffic, "
        "or rarefied_items.",
    .edges =
        "An item counts once per list. Null when no item of the catalogue was shown. Items that a catalogue file does not "
        "name are left out; with a catalogue given by size alone every shown item is part of it, and N is the number of "
        "distinct items where that is larger. No interval.",
    .elsewhere =
        "Evidently divides by N - 1, and its N is the number of items shown: it has 0 where those are shown equally often, "
        "however many are not.",
    .source = "Gini 1912; as an index of recommendation: Fleder, Hosanagar 2009",
    .examples = examples,
    .exposure_needs = {.counts = true},
    .measure = measure,
};

}  // namespace recmeter
