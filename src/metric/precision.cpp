#include "metric/metrics.h"

#include <algorithm>

#include "metric/ratio_form.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const bool shown = options.precision_denominator == PrecisionDenominator::shown;
  return {static_cast<double>(list.hits_at(k)), static_cast<double>(shown ? std::min(k, list.length) : k)};
}

constexpr PooledForm pooled = RatioForm<parts>::moved_by(MovedBy::every_list);

}  // namespace

const MetricDefinition precision_metric{
    .name = "precision",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::precision_denominator, MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "hits_k / k, also when the list is shorter than k",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const RatioParts of_list = parts(list, k, options);
          return of_list.numerator == 0 ? 0.0 : of_list.numerator / of_list.denominator;
        },
    .pooled = &pooled,
};

}  // namespace recmeter
