// What the list of a lane has in common with the lists that were shown: judged_share and overlap.
#include <array>
#include <string>

#include "metric/metrics.h"

namespace recmeter {

namespace {

const std::array judged_examples{
    WorkedExample{"A", 5, "a, c and d were shown to the user: 3 / 4", 0.75},
    WorkedExample{"A", 2, "a was, b was not: 1 / 2", 0.5},
};
const std::array overlap_examples{
    WorkedExample{"A", 5, "the list shown in its place has a at rank 1 and c at rank 3: 2 / 4", 0.5},
    WorkedExample{"A", 2, "of a and b it has a in its first two ranks: 1 / 2", 0.5},
};

// Of the distinct items of the top k those for which has(rank) is true, rank from 0.
template <class Has>
std::uint32_t count_first(const BesideShown& list, std::uint32_t k, Has&& has) {
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < k && rank < list.seen.size(); ++rank) {
    if (list.distinct[rank + 1] > list.distinct[rank] && has(rank)) ++count;
  }
  return count;
}

std::uint32_t judged_of(const BesideShown& list, std::uint32_t k) {
  return count_first(list, k, [&](std::uint32_t rank) { return list.seen[rank] != 0; });
}

std::uint32_t common_of(const BesideShown& list, std::uint32_t k) {
  return count_first(list, k, [&](std::uint32_t rank) {
    const std::uint32_t there = (*list.logged_ranks)[rank];
    return there != 0 && there <= k;
  });
}

// The share of such items, by the function that counts them.
template <std::uint32_t (*items)(const BesideShown&, std::uint32_t)>
struct Share {
  static double value(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
    return static_cast<double>(items(list.beside_shown, k)) / static_cast<double>(list.beside_shown.distinct_at(k));
  }
  static std::string text(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
    return std::to_string(items(list.beside_shown, k)) + " / " + std::to_string(list.beside_shown.distinct_at(k));
  }
};

}  // namespace

const MetricDefinition judged_share_metric{
    .name = "judged_share",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::seen},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "distinct items of the top k that the user was shown within the horizon of the list's time / distinct items there",
    .own_evidence = "an item in the top k",
    .says =
        "How much of a lane's list could be judged at all: users cannot act on what nobody showed them, so that the other "
        "items count as not relevant whatever they are worth. Compare lanes only where it is high, or at least alike.",
    .edges =
        "Of what was shown it is 1. An item was shown if a logged list of the user has it, at any rank, whose time is less "
        "than the horizon before or after. The list is the whole one with unjudged: drop, too.",
    .elsewhere = "Called judged@k in evaluation with pooled judgments.",
    .source =
        "Buckley, Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004; Sakai: Alternatives to Bpref. "
        "SIGIR 2007",
    .examples = judged_examples,
    .evaluate = Share<judged_of>::value,
    .arithmetic = Share<judged_of>::text,
    .has_evidence = [](const ScoredList& list, std::uint32_t k,
                       const MetricOptions&) { return list.beside_shown.distinct_at(k) > 0; },
};

const MetricDefinition overlap_metric{
    .name = "overlap",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::seen},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "distinct items of the top k that are in the top k of the list shown in its place / distinct items of the top k",
    .own_evidence = "an item in the top k, and a list that was shown in its place",
    .says =
        "How far a lane's lists are those that people saw. The less they are alike, the less the log says about the lane.",
    .edges =
        "Of what was shown it is 1. A candidate stands in the place of the list that it names, or of the user's list at its "
        "very time; without one it is left out.",
    .source = "Webber, Moffat, Zobel: A similarity measure for indefinite rankings. TOIS 28(4), 2010, section 3",
    .examples = overlap_examples,
    .evaluate = Share<common_of>::value,
    .arithmetic = Share<common_of>::text,
    .has_evidence =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions&) {
          return list.beside_shown.logged_ranks.has_value() && list.beside_shown.distinct_at(k) > 0;
        },
};

}  // namespace recmeter
