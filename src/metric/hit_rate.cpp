#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition hit_rate_metric{
    .name = "hit_rate",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "1 if hits_k > 0, else 0",
    .source = "Deshpande, Karypis 2004, section 5.1 (HR); success@k of trec_eval",
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions&) { return !list.hits.empty() && list.hits.front().rank <= k ? 1.0 : 0.0; },
};

}  // namespace recmeter
