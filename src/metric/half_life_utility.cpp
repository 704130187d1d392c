#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/ratio_form.h"
#include "metric/wide_int.h"

namespace recmeter {

namespace {

// What a rating is worth beyond the default vote.
double worth(double rating, const RatingRule& rule) {
  return std::max(rating - rule.default_vote, 0.0);
}

// How many of the users look as far as this rank.
double seen(double rank, const RatingRule& rule) {
  return std::exp2(-(rank - 1) / (rule.half_life - 1));
}

RatioParts utility(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  const RatingRule& rule = options.ratings;
  RatioParts parts;
  std::vector<double> ideal;
  for (const Rating& rating : list.ratings) {
    const double gain = worth(rating.rating, rule);
    if (gain == 0) continue;
    parts.numerator += gain * seen(rating.rank, rule);
    ideal.push_back(gain);
  }
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  for (std::size_t i = 0; i < ideal.size(); ++i) parts.denominator += ideal[i] * seen(static_cast<double>(i + 1), rule);
  return parts;
}

std::string utility_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  const RatingRule& rule = options.ratings;
  const auto term = [&rule](double gain, double rank) {
    return four_decimals(gain) + " / 2^" + four_decimals((rank - 1) / (rule.half_life - 1));
  };
  std::vector<std::string> reached;
  std::vector<double> gains;
  for (const Rating& rating : list.ratings) {
    const double gain = worth(rating.rating, rule);
    if (gain == 0) continue;
    reached.push_back(term(gain, rating.rank));
    gains.push_back(gain);
  }
  std::sort(gains.begin(), gains.end(), std::greater<>());
  std::vector<std::string> ideal;
  for (const double gain : gains) ideal.push_back(term(gain, static_cast<double>(ideal.size() + 1)));
  return "100 * " + sum_text(reached) + " / " + sum_text(ideal);
}

bool has_utility(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  return std::any_of(list.ratings.begin(), list.ratings.end(),
                     [&](const Rating& rating) { return worth(rating.rating, options.ratings) > 0; });
}

using Form = RatioForm<utility>;

std::optional<double> percentage(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const auto ideal = wide_sum<WideInt>(sums.columns.subspan(Form::width, Form::width));
  if (ideal == 0) return std::nullopt;
  return rounded_quotient(100 * wide_sum<WideInt>(sums.columns.first(Form::width)), ideal, 0);
}

std::uint64_t lists_with_utility(const ColumnSums& sums) {
  return sums.evidence;
}

struct Utility {
  static constexpr PooledForm pooled{.columns = 2 * Form::width,
                                     .moved_by = MovedBy::feedback,
                                     .add = Form::add,
                                     .value = percentage,
                                     .exact = first_by_next<Form::width>,
                                     .weight = lists_with_utility,
                                     .low = 0,
                                     .high = 100};
};

const std::array worked_examples{
    WorkedExample{
        .lists = "R",
        .arithmetic = "100 * (2 / 2^(0/4) + 1 / 2^(2/4)) / (2 / 2^(0/4) + 1 / 2^(1/4)): ratings 5 and 4 are above 3",
        .value = 95.2906},
};

}  // namespace

constinit const MetricDefinition half_life_utility_metric = of_rating_pairs<Utility>({
    .name = "half_life_utility",
    .high = 100,
    .laws = {Law::none_beyond_family},  // the default vote does not move with the scores
    .formula =
        "100 * sum over lists of R / sum over lists of Rmax; R: sum over the list's rated items of "
        "max(r - d, 0) / 2^((rank - 1)/(a - 1)); Rmax: the same with the items at ranks 1, 2, ... by descending rating; "
        "a: ratings.half_life, d: ratings.default_vote",
    .own_evidence = "a rating above d",
    .unit = "%",
    .says =
        "The share of the best possible use of a list that its order achieves, when half of the users look as far as rank a. "
        "No scores are needed: the rank is the shown one.",
    .edges =
        "Null when the ideal sum is 0: nothing rated above d. Items without a rating, or rated at or below d, add nothing. A "
        "list is weighted by its ideal sum.",
    .source =
        "Herlocker et al. 2004, section 4.1.3, equations 8 and 9; Breese, Heckerman, Kadie: Empirical analysis of predictive "
        "algorithms for collaborative filtering, UAI 1998",
    .examples = worked_examples,
    .arithmetic = utility_text,
    .has_evidence = ListValuesMean<value_alone<Utility>>::has_evidence<has_utility>,
});

}  // namespace recmeter
