#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rated_order.h"

namespace recmeter {

namespace {

// At least two different scores and two different ratings: no denominator is zero then.
bool has_order(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Rating* first = nullptr;
  bool scores_differ = false;
  bool ratings_differ = false;
  for (const Rating& rating : list.ratings) {
    if (!rating.has_prediction) continue;
    if (first == nullptr) first = &rating;
    scores_differ = scores_differ || rating.prediction != first->prediction;
    ratings_differ = ratings_differ || rating.rating != first->rating;
  }
  return scores_differ && ratings_differ;
}

double within_one(double correlation) {
  return std::clamp(correlation, -1.0, 1.0);
}

// Of a correlation: surplus / sqrt(a * b).
struct Parts {
  std::int64_t surplus = 0;
  std::int64_t a = 0;
  std::int64_t b = 0;
};

// Pearson's correlation of average ranks. Twice an item's distance from the middle rank is the number of items below it less
// the number above, so all sums are integers.
Parts of_ranks(const ScoredList& list) {
  Parts parts;
  for (const Rating& item : list.ratings) {
    if (!item.has_prediction) continue;
    std::int64_t of_p = 0;
    std::int64_t of_r = 0;
    for (const Rating& other : list.ratings) {
      if (!other.has_prediction) continue;
      of_p += order_of(item.prediction, other.prediction);
      of_r += order_of(item.rating, other.rating);
    }
    parts.surplus += of_p * of_r;
    parts.a += of_p * of_p;
    parts.b += of_r * of_r;
  }
  return parts;
}

// The pairs that predictions tell apart, C + D + TR, and those that ratings do, C + D + TP.
Parts of_couples(const ScoredList& list) {
  Parts parts;
  for_each_couple(list, [&](int by_prediction, int by_rating) {
    parts.surplus += by_prediction * by_rating;
    parts.a += by_prediction != 0 ? 1 : 0;
    parts.b += by_rating != 0 ? 1 : 0;
  });
  return parts;
}

template <Parts (*parts_of)(const ScoredList&)>
double correlation(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Parts parts = parts_of(list);
  return within_one(static_cast<double>(parts.surplus) /
                    std::sqrt(static_cast<double>(parts.a) * static_cast<double>(parts.b)));
}

template <Parts (*parts_of)(const ScoredList&)>
std::string arithmetic(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const Parts parts = parts_of(list);
  return std::to_string(parts.surplus) + " / sqrt(" + std::to_string(parts.a) + " * " + std::to_string(parts.b) + ")";
}

std::string arithmetic_of_ranks(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return arithmetic<of_ranks>(list, k, options) + ": of the items' doubled distances from the middle rank";
}

const std::array spearman_examples{
    WorkedExample{
        .lists = "R", .arithmetic = "ranks 1 2 3 4 by score, 1 3 2 4 by rating: 1 - 6 * 2 / (4 * 15)", .value = 0.8},
    WorkedExample{.lists = "RS", .arithmetic = "(0.8 + (-1)) / 2", .value = -0.1},
};
const std::array kendall_examples{
    WorkedExample{.lists = "R", .arithmetic = "five pairs agree, b and c do not: (5 - 1) / sqrt(6 * 6)", .value = 0.6667},
};

}  // namespace

constinit const MetricDefinition spearman_metric = of_rated_order({
    .name = "spearman",
    .low = -1,
    .high = 1,
    .laws = {Law::shift_of_scores},
    .formula =
        "of one list: Pearson's correlation of the ranks of its rated items by score and by rating; equal values share "
        "their average rank",
    .own_evidence = "items with a score and a rating, of at least two scores and two ratings",
    .says = "Whether the scores order the items as the user does. All disagreements count alike, at the top or far below.",
    .edges = "Over a list's items with a score and a rating. Lists with fewer than two of them, or all of whose scores or "
             "ratings are equal, are left out of the mean.",
    .source = "Herlocker et al. 2004, section 4.1.3",
    .examples = spearman_examples,
    .evaluate = correlation<of_ranks>,
    .arithmetic = arithmetic_of_ranks,
    .has_evidence = has_order,
});

constinit const MetricDefinition kendall_tau_b_metric = of_rated_order({
    .name = "kendall_tau_b",
    .low = -1,
    .high = 1,
    .laws = {Law::shift_of_scores},
    .formula =
        "of one list, over pairs of its rated items: (C - D) / sqrt((C + D + TR)(C + D + TP)); C: ordered alike by score "
        "and rating, D: the other way round, TR: tied in rating alone, TP: tied in score alone",
    .own_evidence = "items with a score and a rating, of at least two scores and two ratings",
    .says = "As spearman, by pairs: how much more often scores order two items as the user does than the other way round.",
    .edges =
        "Over a list's items with a score and a rating; a pair tied in both counts in neither TR nor TP. Lists with fewer "
        "than two of them, or all of whose scores or ratings are equal, are left out of the mean.",
    .source = "Herlocker et al. 2004, section 4.1.3, equation 7",
    .examples = kendall_examples,
    .evaluate = correlation<of_couples>,
    .arithmetic = arithmetic<of_couples>,
    .has_evidence = has_order,
});

}  // namespace recmeter
