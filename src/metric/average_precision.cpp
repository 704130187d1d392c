#include "metric/metrics.h"

#include <algorithm>

#include "recmeter/base/check.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

// Sum over the relevant ranks i <= k of precision at i, divided by what `ap_denominator` says; 0/0 is 0.
double average_precision(const ScoredList& list, std::uint32_t k, std::uint64_t relevant, ApDenominator denominator) {
  double sum = 0;
  std::uint32_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    sum += static_cast<double>(hits) / hit.rank;
  }
  if (hits == 0) return 0;
  switch (denominator) {
    case ApDenominator::min: return sum / static_cast<double>(std::min<std::uint64_t>(relevant, k));
    case ApDenominator::relevant: return sum / static_cast<double>(relevant);
    case ApDenominator::k: return sum / k;
    case ApDenominator::hits: return sum / hits;
  }
  RECMETER_CHECK(false, "an unknown denominator");
}

}  // namespace

const MetricDefinition map_list_metric{
    .name = "map_list",
    .evidence = Evidence::relevant_in_list,
    .takes_ap_denominator = true,
    .formula = "sum over i <= k of b_i hits_i / i, divided by min(R_list, k) (or as ap_denominator says)",
    .source = "Buckley, Voorhees: Retrieval system evaluation, in TREC, 2005; the denominator's variants: docs/metrics.md",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          return average_precision(list, k, list.relevant_in_list(), options.ap_denominator);
        },
};

const MetricDefinition map_user_metric{
    .name = "map_user",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .takes_ap_denominator = true,
    .formula = "sum over i <= k of b_i hits_i / i, divided by min(R_user, k) (or as ap_denominator says)",
    .source = "as map_list, with the user's missed items among the relevant ones",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
          return average_precision(list, k, list.relevant_of_user(), options.ap_denominator);
        },
};

}  // namespace recmeter
