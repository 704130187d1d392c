#include "metric/metrics.h"

#include <array>
#include <string>

namespace recmeter {

namespace {

const std::array mrr_examples{
    WorkedExample{"A", 5, "1 / 1", 1},
    WorkedExample{"C", 5, "the first hit is at rank 7", 0},
    WorkedExample{"C", 10, "1 / 7", 0.1429},
};

}  // namespace

const MetricDefinition mrr_metric{
    .name = "mrr",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::over, MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "1 / (rank of the first relevant item), 0 if it is beyond k or there is none",
    .says = "How far down the first relevant item is. Items after it do not matter: suitable where one good item is enough.",
    .elsewhere = "trec_eval's recip_rank has no cutoff. Cornac raises an error when there is no hit.",
    .source = "Voorhees: The TREC-8 question answering track report. TREC, 1999",
    .examples = mrr_examples,
    .evaluate =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          return !list.hits.empty() && list.hits.front().rank <= k ? 1.0 / list.hits.front().rank : 0.0;
        },
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          if (list.hits_at(k) == 0) return "0: no hit in ranks 1 to " + cutoff_text(k);
          return "1 / " + std::to_string(list.hits.front().rank);
        },
};

}  // namespace recmeter
