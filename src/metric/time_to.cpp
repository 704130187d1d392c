#include <array>
#include <limits>
#include <string>

#include "metric/metrics.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

double seconds(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  constexpr double ms_per_second = 1000;
  return static_cast<double>(list.first_ms) / ms_per_second;
}

std::string text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return four_decimals(seconds(list, k, options)) + (list.hits.empty() ? ": never within the horizon" : ": the first one");
}

const MetricOptions clicks{.action = "click"};

const std::array examples{
    WorkedExample{"A", 0, "the first click comes after 12 s", 12, clicks},
    WorkedExample{"AD", 0, "nobody clicks in D within the horizon of 30 minutes: (12 + 1800) / 2", 906, clicks},
};

}  // namespace

const MetricDefinition time_to_metric{
    .name = "time_to",
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .needs_action = true,
    .is_of_list = true,
    .needs = {ListPart::delay},
    .high = std::numeric_limits<double>::infinity(),
    .better = Better::lower,
    .takes = {MetricOption::unit_user, MetricOption::over},
    .laws = {Law::order_within_k_is_free},
    .formula = "from the list to the first action credited to it; without any, the horizon, or the action's own if shorter",
    .unit = "s",
    .says =
        "How long people take, where not to act at all counts as the horizon: the restricted mean time. So it is lower both "
        "when more people act and when they act sooner, and only values of one horizon compare.",
    .edges = "Every list counts. Feedback that comes before its list by no more than the skew counts as 0 s.",
    .elsewhere =
        "Averaged over those who acted by dashboards: a recommender that loses its slow clickers looks faster there.",
    .source = "Royston, Parmar: Restricted mean survival time. BMC Medical Research Methodology 13:152, 2013, section 2",
    .examples = examples,
    .evaluate = seconds,
    .arithmetic = text,
};

}  // namespace recmeter
