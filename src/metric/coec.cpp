// Clicks over expected clicks: what a list got, by what its ranks get of lists whose items are no better than usual.
#include <array>
#include <limits>
#include <string>

#include "metric/metrics.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

RatioParts parts_of(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return {.numerator = static_cast<double>(list.hits_at(k)),
          .denominator = options.examination.expected_clicks(k, list.length)};
}

using Coec = RatioForm<parts_of>;
constexpr PooledForm form = Coec::form(MovedBy::every_list, infinite);

const MetricOptions halving{.examination = {.first = 0.4, .by_rank = {1, 0.5, 0.25, 0.125, 0.0625}}};

const std::array examples{
    WorkedExample{"A", 3, "2 / (0.4 + 0.2 + 0.1): first is 0.4, by_rank [1, 0.5, 0.25, 0.125, 0.0625]", 2.8571, halving},
    WorkedExample{"A", 1, "1 / 0.4: with the same", 2.5, halving},
    WorkedExample{"ACD", 3, "(2 + 0 + 0) / (0.7 + 0.7 + 0): D is empty and expects nothing", 1.4286, halving},
};

}  // namespace

// Better lists have more clicks of the same expectation; but with a swap the value stays as it is, and 1 is nothing ideal.
const MetricDefinition coec_metric{
    .name = "coec",
    .family = Family::pooled,
    .evidence = Evidence::relevant_in_list,
    .needs_examination = true,
    .high = infinite,
    .laws = {Law::order_within_k_is_free, Law::zero_without_hits},
    .formula =
        "relevant items at ranks 1..k of all lists, divided by the sum over all lists and their ranks i <= min(n, k) of "
        "first * by_rank[i], of metrics.examination",
    .says =
        "People click what stands on top. This counts clicks against what each rank would get of items as attractive as "
        "those of the lists that the examination was estimated from, where it is 1: so lists of other lengths, pages or "
        "surfaces compare.",
    .edges =
        "Null where no list has an item. The order within the top k does not matter: it tells how good the items are, not "
        "whether the best of them stand first. Expected clicks of a list are rounded once to 2^-32.",
    .elsewhere = "Zhang and Jones sum over the lists that show one item, and so rate the item; here all lists of a window.",
    .source =
        "Zhang, Jones: Comparing click logs and editorial labels for training query rewriting. WWW 2007 workshop on query "
        "log analysis; Chapelle, Zhang: A dynamic Bayesian network click model for web search ranking, WWW 2009, section 2",
    .examples = examples,
    .arithmetic = Coec::arithmetic,
    .pooled = &form,
};

}  // namespace recmeter
