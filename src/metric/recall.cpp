#include "metric/metrics.h"

#include <algorithm>
#include <array>

#include "metric/ratio_form.h"

namespace recmeter {

namespace {

RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::uint64_t relevant = list.relevant_of_user();
  if (options.recall_denominator == RecallDenominator::min) relevant = std::min<std::uint64_t>(relevant, k);
  return {static_cast<double>(list.hits_at(k)), static_cast<double>(relevant)};
}

using Form = RatioForm<parts>;

const std::array recall_examples{
    WorkedExample{"A", 5, "2 / 8", 0.25},
    WorkedExample{"A", 5, "2 / min(8, 5)", 0.4, {.recall_denominator = RecallDenominator::min}},
    WorkedExample{"A", 2, "of its own two relevant items the top 2 shows one: 1 / 2", 0.5, {.universe = Universe::list}},
    WorkedExample{"AC", 5, "(2 + 0) / (8 + 1)", 0.2222, {.unit = Unit::pooled}},
};

}  // namespace

const MetricDefinition recall_metric{
    .name = "recall",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::recall_denominator, MetricOption::over,
              MetricOption::cut, MetricOption::cut_at_relevant, MetricOption::universe},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "hits_k / R_user",
    .says =
        "The share of the items the user wanted that was in the first k ranks. Wanted are the items that the user acted on "
        "within the horizon, in any list or none: an item that was not shown and that the user did not find is not counted, "
        "so this is an upper bound of the recall of theory.",
    .edges =
        "With R_user > k it cannot reach 1, unless `recall_denominator: min` divides by min(R_user, k). With `cut: R` it is "
        "R-precision.",
    .elsewhere =
        "With `universe: list` it is what tools say that are fed with the list alone (TorchMetrics, Evidently). LensKit, and "
        "RecPack's CalibratedRecall, divide by min(R, k).",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .examples = recall_examples,
    .evaluate = Form::evaluate,
    .arithmetic = Form::arithmetic,
    .pooled = &Form::pooled<MovedBy::relevant>,
};

}  // namespace recmeter
