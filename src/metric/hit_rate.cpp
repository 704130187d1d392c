#include "metric/metrics.h"

#include <array>
#include <string>

namespace recmeter {

namespace {

const std::array hit_rate_examples{
    WorkedExample{"A", 5, "rank 1 is a hit", 1},
    WorkedExample{"C", 5, "the hit is at rank 7", 0},
    WorkedExample{"C", 10, "the hit is at rank 7", 1},
    WorkedExample{"ABCD", 5, "(1 + 1 + 0 + 0) / 4", 0.5},
};

}  // namespace

const MetricDefinition hit_rate_metric{
    .name = "hit_rate",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::unit_user, MetricOption::over},
    .laws = {Law::swap_up_never_lowers, Law::order_within_k_is_free, Law::zero_without_hits, Law::one_when_ideal},
    .formula = "1 if hits_k > 0, else 0",
    .says =
        "Its mean is the share of lists with a hit in the first k ranks. Not a click-through rate: three clicks in a list "
        "count as one.",
    .elsewhere = "trec_eval calls it success. RecPack's HitK counts hits instead.",
    .source = "Deshpande, Karypis: Item-based top-N recommendation algorithms. ACM TOIS 22(1), 2004, section 5.1",
    .examples = hit_rate_examples,
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions&) { return !list.hits.empty() && list.hits.front().rank <= k ? 1.0 : 0.0; },
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          const std::uint32_t hits = list.hits_at(k);
          return std::string(hits > 0 ? "1" : "0") + ": " + std::to_string(hits) + " hits in ranks 1 to " + cutoff_text(k);
        },
};

}  // namespace recmeter
