#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/rating_pairs.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t square_columns = 4;

// Columns: pairs, sum of (p - r)^2, which is p^2 - 2pr + r^2 exactly.
void add(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  for_each_pair(list, [&](const RatingPair& pair) {
    ++columns[0];
    add_wide(columns.subspan(1), Int128{pair.error()} * pair.error());
  });
}

std::optional<double> mean(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.columns[0] == 0) return std::nullopt;
  const auto total = wide_sum<WideInt>(sums.columns.subspan(1, square_columns));
  return rounded_quotient(total, WideInt(sums.columns[0]), -2 * q32_fraction_bits);
}

std::optional<double> root(const ColumnSums& sums, std::uint32_t k, const MetricOptions& options) {
  const std::optional<double> square = mean(sums, k, options);
  if (!square) return std::nullopt;
  return std::sqrt(*square);
}

constexpr PooledForm form_of(decltype(PooledForm::value) value) {
  return {.columns = 1 + square_columns,
          .moved_by = MovedBy::feedback,
          .add = add,
          .value = value,
          .exact = next_by_first<square_columns>,
          .weight = first_column,
          .low = 0,
          .high = infinity};
}
constexpr PooledForm mse_form = form_of(mean);
constexpr PooledForm rmse_form = form_of(root);

std::string squares_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  std::vector<std::string> squares;
  for_each_pair(list, [&](const RatingPair& pair) {
    const double error = mean_of_q32(pair.error(), 1);
    squares.push_back(four_decimals(error * error));
  });
  return sum_text(squares) + " / " + std::to_string(squares.size());
}
std::string root_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return "sqrt(" + squares_text(list, k, options) + ")";
}

constexpr std::array mse_examples{
    WorkedExample{.lists = "R", .arithmetic = "(0.25 + 1 + 0.25 + 4) / 4", .value = 1.375},
};
constexpr std::array rmse_examples{
    WorkedExample{.lists = "R", .arithmetic = "sqrt((0.25 + 1 + 0.25 + 4) / 4)", .value = 1.1726},
};

}  // namespace

const MetricDefinition mse_metric{
    .name = "mse",
    .family = Family::pooled,
    .evidence = Evidence::own,
    .moved_by = MovedBy::feedback,
    .has_cutoff = false,
    .is_of_ratings = true,
    .needs = {ListPart::feedback},
    .low = 0,
    .high = infinity,
    .laws = {Law::shift_of_scores},
    .formula =
        "sum over all pairs of (p - r)^2, divided by their number; a pair is a credited rating r and the score p its "
        "item was shown with",
    .own_evidence = "a pair",
    .unit = "rating^2",
    .says = "As mae, but an error of two points counts four times as much as one of one point: a few large errors decide it.",
    .edges = "Null without pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = mse_examples,
    .arithmetic = squares_text,
    .has_evidence = has_pair,
    .pooled = &mse_form,
};

const MetricDefinition rmse_metric{
    .name = "rmse",
    .family = Family::pooled,
    .evidence = Evidence::own,
    .moved_by = MovedBy::feedback,
    .has_cutoff = false,
    .is_of_ratings = true,
    .needs = {ListPart::feedback},
    .low = 0,
    .high = infinity,
    .laws = {Law::shift_of_scores},
    .formula = "square root of mse",
    .own_evidence = "a pair",
    .unit = "rating",
    .says = "mse in points of the rating scale; never below mae.",
    .edges = "Null without pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = rmse_examples,
    .arithmetic = root_text,
    .has_evidence = has_pair,
    .pooled = &rmse_form,
};

}  // namespace recmeter
