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
    WorkedExample{"A", 1, "R_user is 8: 2 / 8", 0.25, {.cut = Cut::relevant}},
    WorkedExample{"C", 1, "R_user is 1: 0 / 1", 0, {.cut = Cut::relevant}},
    WorkedExample{
        "A", 1, "of its own items two are relevant: 1 / 2", 0.5, {.cut = Cut::relevant, .universe = Universe::list}},
    WorkedExample{"ABCD", 5, "(2 / 5 + 2 / 5 + 0 / 5 + 0 / 5) / 4", 0.2},
    WorkedExample{"AC", 5, "(2 + 0) / (5 + 5)", 0.2, {.unit = Unit::pooled}},
};

constexpr MetricDefinition by_k() {
  return {
      .name = "precision",
      .evidence = Evidence::relevant_in_list,
      .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::precision_denominator, MetricOption::over,
                MetricOption::cut, MetricOption::cut_at_relevant, MetricOption::universe},
      .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
      .formula = "hits_k / k",
      .says =
          "The share of the first k ranks that was relevant. It depends neither on their order nor on items that were not "
          "shown.",
      .edges =
          "The divisor is k also when the list is shorter: such a list cannot reach 1, and short_list_share gives their "
          "share. "
          "With `precision_denominator: shown` it is min(k, n), so that `cut: none` is the share of the whole list. With "
          "`cut: R`, "
          "R-precision, k is R_user: the evidence is R_user > 0, and join.key must be user.",
      .elsewhere =
          "trec_eval, ir_measures, ranx, RecTools, RePlay, RecPack, Recommenders, Cornac and Elliot divide by k as well. "
          "scikit-learn, Evidently, LensKit, TF-Ranking and TorchMetrics (adaptive_k) divide by min(k, n).",
      .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
      .examples = precision_examples,
      .evaluate = Form::evaluate,
      .arithmetic = Form::arithmetic,
      .pooled = &Form::pooled<MovedBy::every_list>,
  };
}

// R is the user's: a list without a hit says something where the user wanted other items.
constinit const MetricDefinition r_precision = [] {
  MetricDefinition own = by_k();
  own.scope = Scope::user;
  own.evidence = Evidence::relevant_of_user;
  own.needs = {ListPart::missed};
  own.laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::order_within_k_is_free, Law::one_when_ideal};
  return own;
}();

}  // namespace

constinit const MetricDefinition precision_metric = [] {
  MetricDefinition own = by_k();
  own.cut_at_relevant = &r_precision;
  return own;
}();

}  // namespace recmeter
