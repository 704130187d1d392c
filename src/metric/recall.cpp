#include "metric/metrics.h"

#include <algorithm>

#include "metric/ratio_form.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::uint64_t relevant = list.relevant_of_user();
  if (options.recall_denominator == RecallDenominator::min) relevant = std::min<std::uint64_t>(relevant, k);
  return {static_cast<double>(list.hits_at(k)), static_cast<double>(relevant)};
}

constexpr PooledForm pooled = RatioForm<parts>::moved_by(MovedBy::relevant);

}  // namespace

const MetricDefinition recall_metric{
    .name = "recall",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = {MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::recall_denominator, MetricOption::over,
              MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "hits_k / R_user",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          const RatioParts of_list = parts(list, k, options);
          return of_list.numerator == 0 ? 0.0 : of_list.numerator / of_list.denominator;
        },
    .pooled = &pooled,
};

}  // namespace recmeter
