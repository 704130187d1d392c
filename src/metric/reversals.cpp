#include <array>

#include "metric/metrics.h"
#include "metric/rating_pairs.h"
#include "recmeter/metric/definition.h"

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

std::optional<double> share(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.columns[0] == 0) return std::nullopt;
  return share_of(static_cast<std::uint64_t>(sums.columns[1]), static_cast<std::uint64_t>(sums.columns[0]));
}

constexpr PooledForm form{.columns = 2,
                          .moved_by = MovedBy::feedback,
                          .add = add,
                          .value = share,
                          .exact = next_by_first<1>,
                          .weight = first_column};

constexpr std::array worked_examples{
    WorkedExample{.lists = "RS", .arithmetic = "one of six pairs is 3 or more off: 4.5 against 1; 1 / 6", .value = 0.1667},
};

}  // namespace

const MetricDefinition reversals_metric{
    .name = "reversals",
    .family = Family::pooled,
    .evidence = Evidence::own,
    .moved_by = MovedBy::feedback,
    .has_cutoff = false,
    .is_of_ratings = true,
    .needs = {ListPart::feedback},
    .laws = {Law::shift_of_scores},
    .formula = "share of pairs with |p - r| >= ratings.reversal",
    .own_evidence = "a pair",
    .says = "How often a prediction was so wrong that it costs trust.",
    .edges =
        "Null without pairs. p, r and the bound are compared after rounding each to 2^-32, so that 4.1 against 1.1 is 3 off.",
    .source = "Herlocker et al. 2004, section 4.1.1; Sarwar et al.: Using filtering agents, CSCW 1998",
    .examples = worked_examples,
    .arithmetic = share_text<add>,
    .has_evidence = has_pair,
    .pooled = &form,
};

}  // namespace recmeter
