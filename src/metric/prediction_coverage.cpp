#include <array>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rating_pairs.h"

namespace recmeter {

namespace {

// Columns: credits, those of items shown with a score.
void add(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  columns[0] += static_cast<std::int64_t>(list.credited);
  columns[1] += static_cast<std::int64_t>(list.credited_with_score);
}

const std::array worked_examples{
    WorkedExample{
        .lists = "RS", .arithmetic = "of 4 + 3 credits all but the click on c of S have a score; 6 / 7", .value = 0.8571},
};

}  // namespace

constinit const MetricDefinition prediction_coverage_metric = of_feedback_sums<CountedShare<add>>({
    .name = "prediction_coverage",
    .has_cutoff = false,
    .laws = {Law::none_beyond_family},  // any feedback counts, and no order of it
    .formula = "share of credits, each a (list, item, action), whose item the list showed with a score",
    .own_evidence = "credited feedback",
    .says = "The share of user actions on items with a prediction. Metrics of ratings do not cover the rest.",
    .edges = "Null without credited feedback. Of an item that occurs twice the score of its first rank counts.",
    .source = "Herlocker et al. 2004, section 5.1",
    .examples = worked_examples,
    .arithmetic = CountedShare<add>::arithmetic,
    .has_evidence = [](const ScoredList& list, std::uint32_t, const MetricOptions&) { return list.credited > 0; },
});

}  // namespace recmeter
