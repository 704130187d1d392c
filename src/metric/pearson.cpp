#include <array>
#include <cmath>
#include <string>

#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rating_pairs.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"

namespace recmeter {

namespace {

constexpr std::size_t sum_columns = 3;
constexpr std::size_t product_columns = 4;

// Where the sums stand: pairs, then p, r, p^2, r^2, pr.
constexpr std::size_t at_p = 1;
constexpr std::size_t at_r = at_p + sum_columns;
constexpr std::size_t at_pp = at_r + sum_columns;
constexpr std::size_t at_rr = at_pp + product_columns;
constexpr std::size_t at_pr = at_rr + product_columns;
constexpr std::size_t all_columns = at_pr + product_columns;

void add(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  for_each_pair(list, [&](const RatingPair& pair) {
    const Int128 p = pair.prediction;
    const Int128 r = pair.rating;
    ++columns[0];
    add_wide(columns.subspan(at_p, sum_columns), p);
    add_wide(columns.subspan(at_r, sum_columns), r);
    add_wide(columns.subspan(at_pp, product_columns), p * p);
    add_wide(columns.subspan(at_rr, product_columns), r * r);
    add_wide(columns.subspan(at_pr, product_columns), p * r);
  });
}

// The correlation's square with its sign. All in integers, the squares of 2^-32 cancel.
Quotient signed_square(const ColumnSums& sums) {
  const WideInt n(sums.columns[0]);
  const auto sum = [&](std::size_t at) { return wide_sum<WideInt>(sums.columns.subspan(at, sum_columns)); };
  const auto product = [&](std::size_t at) { return wide_sum<WideInt>(sums.columns.subspan(at, product_columns)); };
  const WideInt p = sum(at_p);
  const WideInt r = sum(at_r);
  const WideInt covariance = n * product(at_pr) - p * r;
  const WideInt square = covariance * covariance;
  return {covariance < 0 ? -square : square, (n * product(at_pp) - p * p) * (n * product(at_rr) - r * r)};
}

// Only the quotient under the root and the root are rounded.
std::optional<double> correlation(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const Quotient square = signed_square(sums);
  if (sums.columns[0] < 2 || square.denominator == 0) return std::nullopt;
  const double rounded = rounded_quotient(square.numerator, square.denominator, 0);
  return std::copysign(std::sqrt(std::abs(rounded)), rounded);
}

struct Correlation {
  static constexpr PooledForm pooled{.columns = all_columns,
                                     .moved_by = MovedBy::feedback,
                                     .add = add,
                                     .value = correlation,
                                     .exact = signed_square,
                                     .weight = first_column,
                                     .low = -1,
                                     .high = 1};
};

std::string correlation_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  double pairs = 0;
  double p = 0;
  double r = 0;
  for_each_pair(list, [&](const RatingPair& pair) {
    ++pairs;
    p += mean_of_q32(pair.prediction, 1);
    r += mean_of_q32(pair.rating, 1);
  });
  p /= pairs;
  r /= pairs;
  double pp = 0;
  double rr = 0;
  double pr = 0;
  for_each_pair(list, [&](const RatingPair& pair) {
    const double from_p = mean_of_q32(pair.prediction, 1) - p;
    const double from_r = mean_of_q32(pair.rating, 1) - r;
    pp += from_p * from_p;
    rr += from_r * from_r;
    pr += from_p * from_r;
  });
  return four_decimals(pr) + " / sqrt(" + four_decimals(pp) + " * " + four_decimals(rr) + "): the means are " +
         four_decimals(p) + " and " + four_decimals(r);
}

const std::array worked_examples{
    WorkedExample{.lists = "R", .arithmetic = "means 3.75 and 3.25; 2.75 / sqrt(1.25 * 8.75)", .value = 0.8315},
    WorkedExample{.lists = "RS", .arithmetic = "(0.8315 + (-1)) / 2", .value = -0.0842, .options = {.unit = Unit::list}},
};

}  // namespace

constinit const MetricDefinition pearson_metric = of_rating_pairs<Correlation>({
    .name = "pearson",
    .low = -1,
    .high = 1,
    .laws = {Law::shift_of_scores},
    .formula = "sum of (p - mean p)(r - mean r) / sqrt(sum of (p - mean p)^2 * sum of (r - mean r)^2), over all pairs",
    .own_evidence = "a pair",
    .says =
        "How linearly predictions follow ratings, whatever their scales. It is over all pairs together, so it also counts "
        "that generous users get high predictions; spearman compares within each list.",
    .edges = "Null below 2 pairs, or when all predictions or all ratings are equal.",
    .source = "Herlocker et al. 2004, section 4.1.3",
    .examples = worked_examples,
    .arithmetic = correlation_text,
    .has_evidence = ListValuesMean<value_alone<Correlation>>::has_evidence<has_pair>,
});

}  // namespace recmeter
