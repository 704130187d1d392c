#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition empty_list_share_metric{
    .name = "empty_list_share",
    .family = Family::list_share,
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .laws = {Law::order_within_k_is_free},
    .formula = "share of lists without items",
    .source = "SEMANTICS section 8; what an evaluator must not drop: Herlocker et al. 2004, section 5.1",
    .evaluate = [](const ScoredList& list, std::uint32_t, const MetricOptions&) { return list.length == 0 ? 1.0 : 0.0; },
};

const MetricDefinition short_list_share_metric{
    .name = "short_list_share",
    .family = Family::list_share,
    .moved_by = MovedBy::every_list,
    .laws = {Law::order_within_k_is_free},
    .formula = "share of lists with fewer than k ranks",
    .source = "SEMANTICS section 8",
    .evaluate = [](const ScoredList& list, std::uint32_t k, const MetricOptions&) { return list.length < k ? 1.0 : 0.0; },
};

}  // namespace recmeter
