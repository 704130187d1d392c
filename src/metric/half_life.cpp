#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

// Ranks weigh 1 at the first and half of that at rank `half_life`.
double decay(const MetricOptions& options) {
  return std::exp2(-1 / (options.half_life - 1));
}

RatioParts parts(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const double decay_per_rank = decay(options);
  RatioParts sums;
  double weight = 1;
  std::uint32_t rank = 1;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    for (; rank < hit.rank; ++rank) weight *= decay_per_rank;
    sums.numerator += weight;
  }
  weight = 1;
  for (std::size_t best = 0; best < std::min<std::size_t>(list.hits.size(), k); ++best) {
    sums.denominator += weight;
    weight *= decay_per_rank;
  }
  return sums;
}

using Form = RatioForm<parts>;

const std::array examples{
    WorkedExample{"A", 5, "ranks weigh 1, 0.8409, 0.7071: (1 + 0.7071) / (1 + 0.8409)", 0.9273},
    WorkedExample{"C", 10, "0.3536 / 1", 0.3536},
};

}  // namespace

const MetricDefinition half_life_metric{
    .name = "half_life",
    .evidence = Evidence::relevant_in_list,
    .takes = {MetricOption::half_life, MetricOption::unit_user, MetricOption::unit_pooled, MetricOption::over,
              MetricOption::cut},
    .laws = {Law::swap_up_never_lowers, Law::zero_without_hits, Law::one_when_ideal},
    .formula =
        "sum over relevant ranks i <= k of 2^(-(i - 1) / (half_life - 1)), divided by the same sum over the first "
        "min(R_list, k) ranks",
    .says =
        "How much of the attention that falls off by half until rank `half_life` met a relevant item, of what it could have "
        "met in this list. For clicks what half_life_utility is for ratings.",
    .edges = "half_life is above 1. The ideal is made of the list itself: what was not shown is not seen.",
    .source =
        "Breese, Heckerman, Kadie: Empirical analysis of predictive algorithms for collaborative filtering. UAI 1998, eq. 5",
    .examples = examples,
    .evaluate = Form::evaluate,
    .arithmetic = Form::arithmetic,
    .pooled = &Form::pooled<MovedBy::hits>,
};

}  // namespace recmeter
