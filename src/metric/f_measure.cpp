#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <string>

#include "metric/ratio_form.h"

namespace recmeter {

namespace {

// (1 + b^2) P R / (b^2 P + R) with P = hits_k / k and R = hits_k / R_user, which is (1 + b^2) hits_k / (b^2 R_user + k).
template <bool is_f1>
RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const double weight = is_f1 ? 1 : options.beta * options.beta;
  const bool shown = options.precision_denominator == PrecisionDenominator::shown;
  return {(1 + weight) * list.hits_at(k),
          weight * static_cast<double>(list.relevant_of_user()) + (shown ? std::min(k, list.length) : k)};
}

template <bool is_f1>
std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const bool shown = options.precision_denominator == PrecisionDenominator::shown;
  const std::string weight = is_f1 ? "1" : four_decimals(options.beta) + "^2";
  return "(1 + " + weight + ") * " + std::to_string(list.hits_at(k)) + " / (" + weight + " * " +
         std::to_string(list.relevant_of_user()) + " + " + std::to_string(shown ? std::min(k, list.length) : k) + ")";
}

const std::array f1_examples{
    WorkedExample{"A", 5, "2 * 2 / (8 + 5)", 0.3077},
};
const std::array fbeta_examples{
    WorkedExample{"A", 5, "(1 + 2^2) * 2 / (2^2 * 8 + 5)", 0.2703},
    WorkedExample{"A", 5, "(1 + 0.5^2) * 2 / (0.5^2 * 8 + 5)", 0.3571, {.beta = 0.5}},
};

}  // namespace

const MetricDefinition f1_metric{
    .name = "f1",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::precision_denominator, MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::over,
              MetricOption::cut, MetricOption::cut_at_relevant, MetricOption::universe},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "2 * hits_k / (R_user + k)",
    .says = "Harmonic mean of precision@k and recall@k: low when either of them is low.",
    .edges =
        "Computed per list and then averaged. With `cut: R` it is R-precision; `cut: none` takes `precision_denominator: "
        "shown`.",
    .elsewhere = "TorchMetrics averages precision and recall first.",
    .source = "Schröder et al. 2011, section 4.1; Herlocker et al. 2004, section 4.1.2",
    .examples = f1_examples,
    .evaluate = RatioForm<parts<true>>::evaluate,
    .arithmetic = arithmetic<true>,
    .pooled = &RatioForm<parts<true>>::pooled<MovedBy::every_list>,
};

const MetricDefinition fbeta_metric{
    .name = "fbeta",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::beta, MetricOption::precision_denominator, MetricOption::unit_user, MetricOption::unit_pooled,
              MetricOption::over, MetricOption::cut, MetricOption::cut_at_relevant, MetricOption::universe},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "(1 + beta^2) * hits_k / (beta^2 * R_user + k)",
    .says =
        "(1 + beta^2) P R / (beta^2 P + R) of precision@k and recall@k: with beta above 1 recall counts more, below 1 "
        "precision.",
    .source = "van Rijsbergen: Information retrieval, 1979; Schröder et al. 2011, section 4.1",
    .examples = fbeta_examples,
    .evaluate = RatioForm<parts<false>>::evaluate,
    .arithmetic = arithmetic<false>,
    .pooled = &RatioForm<parts<false>>::pooled<MovedBy::every_list>,
};

}  // namespace recmeter
