#include <array>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rating_pairs.h"

namespace recmeter {

namespace {

// Columns: pairs, those far off.
void add(const ScoredList& list, std::uint32_t, const MetricOptions& options, std::span<std::int64_t> columns) {
  const std::int64_t bound = to_q32(options.ratings.reversal);
  for_each_pair(list, [&](const RatingPair& pair) {
    ++columns[0];
    columns[1] += pair.absolute_error() >= bound ? 1 : 0;
  });
}

const std::array worked_examples{
    WorkedExample{.lists = "RS", .arithmetic = "one of six pairs is 3 or more off: 4.5 against 1; 1 / 6", .value = 0.1667},
};

}  // namespace

constinit const MetricDefinition reversals_metric = of_rating_pairs<CountedShare<add>>({
    .name = "reversals",
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula = "share of pairs with |p - r| >= ratings.reversal",
    .says = "How often a prediction was so wrong that it costs trust.",
    .edges =
        "Null without pairs. p, r and the bound are compared after rounding each to 2^-32, so that 4.1 against 1.1 is 3 off.",
    .source = "Herlocker et al. 2004, section 4.1.1; Sarwar et al.: Using filtering agents, CSCW 1998",
    .examples = worked_examples,
    .arithmetic = CountedShare<add>::arithmetic,
});

}  // namespace recmeter
