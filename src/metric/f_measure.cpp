#include "metric/metrics.h"

#include <algorithm>

#include "metric/ratio_form.h"
#include "recmeter/metric/definition.h"

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
double f_measure(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const RatioParts of_list = parts<is_f1>(list, k, options);
  return of_list.numerator == 0 ? 0 : of_list.numerator / of_list.denominator;
}

constexpr PooledForm pooled_f1 = RatioForm<parts<true>>::moved_by(MovedBy::every_list);
constexpr PooledForm pooled_fbeta = RatioForm<parts<false>>::moved_by(MovedBy::every_list);

}  // namespace

const MetricDefinition f1_metric{
    .name = "f1",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::precision_denominator, MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "harmonic mean of precision@k and recall@k",
    .source = "Schröder et al. 2011, section 4.1; Herlocker et al. 2004, section 4.1.2",
    .evaluate = f_measure<true>,
    .pooled = &pooled_f1,
};

const MetricDefinition fbeta_metric{
    .name = "fbeta",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::beta, MetricOption::precision_denominator, MetricOption::unit_user, MetricOption::unit_pooled,
              MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "(1 + beta^2) P R / (beta^2 P + R) of precision@k and recall@k",
    .source = "van Rijsbergen: Information Retrieval, 1979; Schröder et al. 2011, section 4.1",
    .evaluate = f_measure<false>,
    .pooled = &pooled_fbeta,
};

}  // namespace recmeter
