#include "metric/metrics.h"

#include <algorithm>
#include <array>

#include "metric/ratio_form.h"

namespace recmeter {

namespace {

RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const bool shown = options.precision_denominator == PrecisionDenominator::shown;
  return {static_cast<double>(list.hits_at(k)), static_cast<double>(shown ? std::min(k, list.length) : k)};
}

using Form = RatioForm<parts>;

const std::array precision_examples{
    WorkedExample{"A", 5, "2 / 5", 0.4},
    WorkedExample{"A", 5, "2 / min(5, 4)", 0.5, {.precision_denominator = PrecisionDenominator::shown}},
    WorkedExample{"ABCD", 5, "(2 / 5 + 2 / 5 + 0 / 5 + 0 / 5) / 4", 0.2},
    WorkedExample{"AC", 5, "(2 + 0) / (5 + 5)", 0.2, {.unit = Unit::pooled}},
};

}  // namespace

const MetricDefinition precision_metric{
    .name = "precision",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::precision_denominator, MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "hits_k / k",
    .says =
        "The share of the first k ranks that was relevant. It depends neither on their order nor on items that were not "
        "shown.",
    .edges =
        "The divisor is k also when the list is shorter: such a list cannot reach 1, and short_list_share gives their share. "
        "With `precision_denominator: shown` it is min(k, n).",
    .elsewhere =
        "trec_eval, ir_measures, ranx, RecTools, RePlay, RecPack, Recommenders, Cornac and Elliot divide by k as well. "
        "scikit-learn, Evidently, LensKit, TF-Ranking and TorchMetrics (adaptive_k) divide by min(k, n).",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .examples = precision_examples,
    .evaluate = Form::evaluate,
    .arithmetic = Form::arithmetic,
    .pooled = &Form::pooled<MovedBy::every_list>,
};

}  // namespace recmeter
