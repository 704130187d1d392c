#include "metric/metrics.h"

#include <algorithm>

#include "metric/ratio_form.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

// Sum over the relevant ranks i <= k of precision at i, divided by what `ap_denominator` says; 0/0 is 0.
RatioParts average_precision(const ScoredList& list, std::uint32_t k, std::uint64_t relevant, ApDenominator denominator) {
  double sum = 0;
  std::uint32_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    sum += static_cast<double>(hits) / hit.rank;
  }
  switch (denominator) {
    case ApDenominator::min: return {sum, static_cast<double>(std::min<std::uint64_t>(relevant, k))};
    case ApDenominator::relevant: return {sum, static_cast<double>(relevant)};
    case ApDenominator::k: return {sum, static_cast<double>(k)};
    case ApDenominator::hits: return {sum, static_cast<double>(hits)};
  }
  RECMETER_CHECK(false, "an unknown denominator");
}

RatioParts of_list(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return average_precision(list, k, list.relevant_in_list(), options.ap_denominator);
}
RatioParts of_user(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return average_precision(list, k, list.relevant_of_user(), options.ap_denominator);
}

double quotient(const RatioParts& parts) {
  return parts.numerator == 0 ? 0 : parts.numerator / parts.denominator;
}

constexpr PooledForm pooled_list = RatioForm<of_list>::moved_by(MovedBy::every_list);
constexpr PooledForm pooled_user = RatioForm<of_user>::moved_by(MovedBy::every_list);

constexpr MetricOptionSet options_taken{MetricOption::ap_denominator, MetricOption::unit_user, MetricOption::unit_pooled,
                                        MetricOption::over, MetricOption::cut};

}  // namespace

const MetricDefinition map_list_metric{
    .name = "map_list",
    .evidence = Evidence::relevant_in_list,
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over i <= k of b_i hits_i / i, divided by min(R_list, k) (or as ap_denominator says)",
    .source = "Buckley, Voorhees: Retrieval system evaluation, in TREC, 2005; the denominator's variants: docs/metrics.md",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions& options) { return quotient(of_list(list, k, options)); },
    .pooled = &pooled_list,
};

const MetricDefinition map_user_metric{
    .name = "map_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .needs = {ListPart::missed},
    .takes = options_taken,
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits},
    .formula = "sum over i <= k of b_i hits_i / i, divided by min(R_user, k) (or as ap_denominator says)",
    .source = "as map_list, with the user's missed items among the relevant ones",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions& options) { return quotient(of_user(list, k, options)); },
    .pooled = &pooled_user,
};

}  // namespace recmeter
