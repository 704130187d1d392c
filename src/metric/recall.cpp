#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition recall_metric{
    .name = "recall",
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .formula = "hits_k / R_user",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          const std::uint32_t hits = list.hits_at(k);
          return hits == 0 ? 0.0 : hits / static_cast<double>(list.relevant_of_user());
        },
};

}  // namespace recmeter
