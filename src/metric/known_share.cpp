// How much of a list its user knows already: known_share.
#include <algorithm>
#include <array>
#include <string>

#include "metric/metrics.h"

namespace recmeter {

namespace {

std::uint32_t known_of(const ScoredList& list, std::uint32_t k) {
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < std::min(k, list.length); ++rank) {
    if (list.distinct[rank + 1] > list.distinct[rank] && list.known[rank] != 0) ++count;
  }
  return count;
}

const std::array known_share_examples{
    WorkedExample{"A", 5, "the user had acted on b and d before: 2 / 4", 0.5},
    WorkedExample{"A", 1, "not on a: 0 / 1", 0},
};

}  // namespace

const MetricDefinition known_share_metric{
    .name = "known_share",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::history, ListPart::distinct},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula = "distinct items of the top k that the user acted on before the list's time / distinct items there",
    .own_evidence = "a known user and an item in the top k",
    .says =
        "How much of a list is no news to its user. Where people come back to what they know (music, groceries) a high share "
        "can be right; elsewhere precision that comes with it is of items that would have been found without a recommender.",
    .edges =
        "A user acts by accepted feedback of an action with a gain above 0, whatever list takes the credit, and whatever a "
        "rating's value. What is done at the list's time or later does not count. A user without acts knows nothing: 0. It "
        "needs the whole log before a list, and so a bounded run.",
    .elsewhere =
        "Novelty to the user is one less this share. In recmeter prequential with exclude: known it is 0 by construction.",
    .source = "Herlocker et al. 2004, section 5.3 (novelty: items the user was not aware of)",
    .examples = known_share_examples,
    .evaluate = [](const ScoredList& list, std::uint32_t k,
                   const MetricOptions&) { return static_cast<double>(known_of(list, k)) / list.distinct_at(k); },
    .arithmetic =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          return std::to_string(known_of(list, k)) + " / " + std::to_string(list.distinct_at(k));
        },
    .has_evidence = [](const ScoredList& list, std::uint32_t k,
                       const MetricOptions&) { return !list.known.empty() && list.distinct_at(k) > 0; },
};

}  // namespace recmeter
