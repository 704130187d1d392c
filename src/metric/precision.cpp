#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition precision_metric{
    .name = "precision",
    .evidence = Evidence::relevant_in_list,
    .formula = "hits_k / k, also when the list is shorter than k",
    .source = "Herlocker et al. 2004, section 4.1.2; Schröder et al. 2011, section 4.1",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions&) { return list.hits_at(k) / static_cast<double>(k); },
};

}  // namespace recmeter
