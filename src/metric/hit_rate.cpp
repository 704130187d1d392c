#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition hit_rate_metric{
    .name = "hit_rate",
    .evidence = Evidence::relevant_in_list,
    .formula = "1 if hits_k > 0, else 0",
    .source = "Deshpande, Karypis 2004, section 5.1 (HR); success@k of trec_eval",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions&) { return !list.hits.empty() && list.hits.front().rank <= k ? 1.0 : 0.0; },
};

}  // namespace recmeter
