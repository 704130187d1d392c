#include <array>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rating_pairs.h"

namespace recmeter {

namespace {

// Columns: judged items in the top k, those that were wrong.
void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
  auto rating = list.ratings.begin();
  auto hit = list.hits.begin();
  for (const std::uint32_t rank : list.judged) {
    if (rank > k) break;
    while (rating != list.ratings.end() && rating->rank < rank) ++rating;
    while (hit != list.hits.end() && hit->rank < rank) ++hit;
    const bool rated = rating != list.ratings.end() && rating->rank == rank;
    const bool relevant = hit != list.hits.end() && hit->rank == rank;
    const bool wrong = rated ? rating->rating < options.ratings.liked : !relevant;
    ++columns[0];
    columns[1] += wrong ? 1 : 0;
  }
}

const std::array worked_examples{
    WorkedExample{.lists = "S", .cutoff = 3, .arithmetic = "a and b are rated 1 and 2, c is clicked; 2 / 3", .value = 0.6667},
    WorkedExample{.lists = "RS", .cutoff = 3, .arithmetic = "of R only b, rated 3: (1 + 2) / (3 + 3)", .value = 0.5},
};

}  // namespace

constinit const MetricDefinition error_rate_metric = of_feedback_sums<CountedShare<add>>({
    .name = "error_rate",
    .better = Better::lower,
    .laws = {Law::none_beyond_family},  // looks at judged items alone, whatever their order
    .formula = "items shown in the top k, judged and wrong / items shown in the top k and judged; judged: with credited "
               "feedback of any action; wrong: rated below ratings.liked, or without a rating and of grade 0",
    .own_evidence = "a judged item in the top k",
    .says = "How often a judged item was a mistake. It covers only what users report: where only likes are recorded it is 0. "
            "Read it beside the share of lists with evidence.",
    .edges = "Null without judged items. A rating decides whatever else was done with the item. Without ratings an action of "
             "gain 0, such as `hide`, is what makes an item wrong.",
    .source = "Herlocker et al. 2004, section 4.1: the share of shown and judged items that were wrong",
    .examples = worked_examples,
    .arithmetic = CountedShare<add>::arithmetic,
    .has_evidence = [](const ScoredList& list, std::uint32_t k,
                       const MetricOptions&) { return !list.judged.empty() && list.judged.front() <= k; },
});

}  // namespace recmeter
