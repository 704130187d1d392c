#include "metric/metrics.h"

#include "recmeter/metric/definition.h"

namespace recmeter {

const MetricDefinition mrr_metric{
    .name = "mrr",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::over, MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "1 / (rank of the first relevant item), 0 if it is beyond k or there is none",
    .source = "Voorhees: The TREC-8 question answering track report, 1999",
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          return !list.hits.empty() && list.hits.front().rank <= k ? 1.0 / list.hits.front().rank : 0.0;
        },
};

}  // namespace recmeter
