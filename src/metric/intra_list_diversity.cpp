#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

constexpr std::array examples{
    WorkedExample{
        .lists = "A",
        .cutoff = 5,
        .arithmetic = "attributes: a {1, 2}, b {1}, c unknown, d {3}; pairs ab 1 - 1/2, ad 1 - 0, bd 1 - 0: 2.5 / 3",
        .value = 0.8333},
    WorkedExample{.lists = "A", .cutoff = 2, .arithmetic = "ab 1 - 1/2", .value = 0.5},
};

using Attributes = std::span<const std::uint32_t>;

// Of two ascending sets. Items have few attributes, and few against few are compared sooner than a merge is steered.
std::uint64_t common_of(Attributes a, Attributes b) {
  constexpr std::size_t few = 32;
  std::uint64_t common = 0;
  if (a.size() * b.size() <= few) {
    for (const std::uint32_t x : a) {
      for (const std::uint32_t y : b) common += x == y ? 1U : 0U;
    }
    return common;
  }
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    common += *x == *y ? 1U : 0U;
    const bool step_x = *x <= *y;
    const bool step_y = *y <= *x;
    x += step_x ? 1 : 0;
    y += step_y ? 1 : 0;
  }
  return common;
}

// 1 - |common| / |either| of two ascending sets that are not empty.
double jaccard_distance(Attributes a, Attributes b) {
  const std::uint64_t common = common_of(a, b);
  const std::uint64_t either = a.size() + b.size() - common;
  return static_cast<double>(either - common) / static_cast<double>(either);
}

// Whether the rank, from 0, shows an item with attributes that no rank before it shows.
bool is_known(const ScoredList& list, std::size_t rank) {
  return !list.attributes[rank].empty() && list.distinct[rank + 1] > list.distinct[rank];
}

bool has_pair(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  std::uint32_t known = 0;
  for (std::size_t rank = 0; rank < std::min<std::size_t>(k, list.attributes.size()) && known < 2; ++rank) {
    known += is_known(list, rank) ? 1U : 0U;
  }
  return known == 2;
}

struct Pairs {
  double distances = 0;
  std::uint64_t number = 0;
};

Pairs pairs_of(const ScoredList& list, std::uint32_t k) {
  const std::size_t end = std::min<std::size_t>(k, list.attributes.size());
  thread_local std::vector<Attributes> known;
  known.clear();
  Pairs pairs;
  for (std::size_t rank = 0; rank < end; ++rank) {
    if (!is_known(list, rank)) continue;
    for (const Attributes other : known) pairs.distances += jaccard_distance(list.attributes[rank], other);
    pairs.number += known.size();
    known.push_back(list.attributes[rank]);
  }
  return pairs;
}

double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const Pairs pairs = pairs_of(list, k);
  return pairs.distances / static_cast<double>(pairs.number);
}

std::string pairs_text(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const Pairs pairs = pairs_of(list, k);
  return four_decimals(pairs.distances) + " / " + std::to_string(pairs.number) + ": summed distances of the pairs";
}

}  // namespace

const MetricDefinition intra_list_diversity_metric{
    .name = "intra_list_diversity",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::attributes, ListPart::distinct},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "mean over the pairs of items in the top k of 1 - |a and b| / |a or b|; a, b: the sets of attributes that the "
        "catalogue file gives the two items",
    .own_evidence = "a pair of items with attributes in the top k",
    .says =
        "How different the items of one list are, by what the catalogue says of them: 0 when all have the same attributes, 1 "
        "when no two share any. It says nothing of whether the items are any good, and only as much as the attributes do.",
    .edges =
        "An item counts at its first rank. Pairs with an item the catalogue knows no attributes of are left out; a list "
        "without a pair is left out of the mean (relevant_share says how many are in it). Each value of a member of the "
        "item's object is one attribute (`genre=jazz`): strings, numbers and booleans, and those in arrays; null and "
        "nested objects are none. The same list has the same value at every horizon.",
    .elsewhere = "Ziegler et al. add similarities up instead; others use vectors and the cosine.",
    .source = "Smyth, McClave 2001; Ziegler et al. 2005; Jaccard 1901",
    .examples = examples,
    .evaluate = evaluate,
    .arithmetic = pairs_text,
    .has_evidence = has_pair,
};

}  // namespace recmeter
