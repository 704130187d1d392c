#include "metric/metrics.h"

#include <array>
#include <string>

namespace recmeter {

namespace {

const std::array empty_list_share_examples{
    WorkedExample{"ABCD", 0, "(0 + 0 + 0 + 1) / 4", 0.25},
};
const std::array short_list_share_examples{
    WorkedExample{"ABCD", 5, "(1 + 1 + 0 + 1) / 4", 0.75},
};

}  // namespace

const MetricDefinition empty_list_share_metric{
    .name = "empty_list_share",
    .family = Family::list_share,
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .better = Better::lower,
    .laws = {Law::order_within_k_is_free},
    .formula = "1 if n = 0, else 0",
    .says = "The share of lists without items, which an evaluation must not drop.",
    .edges = "Every list counts.",
    .elsewhere =
        "trec_eval leaves such lists out of its means by default; here they count as 0 in every metric, and this metric "
        "gives their share.",
    .source = "Herlocker et al. 2004, section 5.1",
    .examples = empty_list_share_examples,
    .evaluate = [](const ScoredList& list, std::uint32_t, const MetricOptions&) { return list.length == 0 ? 1.0 : 0.0; },
    .arithmetic =
        [](const ScoredList& list, std::uint32_t, const MetricOptions&) {
          return std::string(list.length == 0 ? "1" : "0") + ": n is " + std::to_string(list.length);
        },
};

const MetricDefinition short_list_share_metric{
    .name = "short_list_share",
    .family = Family::list_share,
    .moved_by = MovedBy::every_list,
    .better = Better::lower,
    .laws = {Law::order_within_k_is_free},
    .formula = "1 if n < k, else 0",
    .says = "The share of lists with fewer than k ranks; precision@k cannot be 1 for them.",
    .edges = "Empty lists are short too. Every list counts.",
    .source = "recmeter; needed because precision divides by k",
    .examples = short_list_share_examples,
    .evaluate = [](const ScoredList& list, std::uint32_t k, const MetricOptions&) { return list.length < k ? 1.0 : 0.0; },
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          return std::string(list.length < k ? "1" : "0") + ": n is " + std::to_string(list.length);
        },
};

}  // namespace recmeter
