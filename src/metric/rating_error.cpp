// How far predictions are off: mae, nmae, mae_extremes by absolute errors; mse, rmse by squared ones.
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/error_sums.h"
#include "metric/families.h"
#include "metric/metrics.h"
#include "metric/rating_pairs.h"

namespace recmeter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool any(const RatingPair&, const MetricOptions&) {
  return true;
}
bool is_extreme(const RatingPair& pair, const MetricOptions& options) {
  return pair.rating < to_q32(options.ratings.extremes_low) || pair.rating > to_q32(options.ratings.extremes_high);
}
bool has_extreme_pair(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  bool found = false;
  for_each_pair(list, [&](const RatingPair& pair) { found = found || is_extreme(pair, options); });
  return found;
}

template <bool (*counts)(const RatingPair&, const MetricOptions&)>
void add(const ScoredList& list, std::uint32_t, const MetricOptions& options, std::span<std::int64_t> columns) {
  for_each_pair(list, [&](const RatingPair& pair) {
    if (!counts(pair, options)) return;
    error_sums::add_absolute(pair, columns);
  });
}

std::optional<double> normalized(const ColumnSums& sums, std::uint32_t k, const MetricOptions& options) {
  const std::optional<double> error = error_sums::mean(sums, k, options);
  if (!error) return std::nullopt;
  return *error / (options.ratings.max - options.ratings.min);
}

void add_squares(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  for_each_pair(list, [&](const RatingPair& pair) { error_sums::add_square(pair, columns); });
}

struct MeanError {
  static constexpr PooledForm pooled = error_sums::of_absolute(add<any>);
};
struct NormalizedError {
  static constexpr PooledForm pooled = error_sums::of_absolute(add<any>, normalized);
};
struct ErrorOfExtremes {
  static constexpr PooledForm pooled = error_sums::of_absolute(add<is_extreme>);
};
struct MeanSquare {
  static constexpr PooledForm pooled = error_sums::of_squares(add_squares, error_sums::mean_square);
};
struct RootOfMeanSquare {
  static constexpr PooledForm pooled = error_sums::of_squares(add_squares, error_sums::root);
};

template <bool (*counts)(const RatingPair&, const MetricOptions&)>
std::string errors_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  std::vector<std::string> errors;
  for_each_pair(list, [&](const RatingPair& pair) {
    if (counts(pair, options)) errors.push_back(error_sums::absolute_text(pair));
  });
  return error_sums::mean_text(errors);
}
std::string normalized_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return errors_text<any>(list, k, options) + " / (" + four_decimals(options.ratings.max) + " - " +
         four_decimals(options.ratings.min) + ")";
}

std::string squares_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  std::vector<std::string> squares;
  for_each_pair(list, [&](const RatingPair& pair) { squares.push_back(error_sums::square_text(pair)); });
  return error_sums::mean_text(squares);
}
std::string root_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return "sqrt(" + squares_text(list, k, options) + ")";
}

const std::array mae_examples{
    WorkedExample{.lists = "R", .arithmetic = "(0.5 + 1 + 0.5 + 2) / 4", .value = 1},
    WorkedExample{.lists = "RS", .arithmetic = "(0.5 + 1 + 0.5 + 2 + 3.5 + 0) / 6", .value = 1.25},
    WorkedExample{.lists = "RS",
                  .arithmetic = "((0.5 + 1 + 0.5 + 2) / 4 + (3.5 + 0) / 2) / 2",
                  .value = 1.375,
                  .options = {.unit = Unit::list}},
};
const std::array nmae_examples{
    WorkedExample{.lists = "R", .arithmetic = "((0.5 + 1 + 0.5 + 2) / 4) / (5 - 1)", .value = 0.25},
};
const std::array extremes_examples{
    WorkedExample{.lists = "R", .arithmetic = "ratings 5 and 1 are below 2 or above 4: (0.5 + 2) / 2", .value = 1.25},
};
const std::array mse_examples{
    WorkedExample{.lists = "R", .arithmetic = "(0.25 + 1 + 0.25 + 4) / 4", .value = 1.375},
};
const std::array rmse_examples{
    WorkedExample{.lists = "R", .arithmetic = "sqrt((0.25 + 1 + 0.25 + 4) / 4)", .value = 1.1726},
};

}  // namespace

constinit const MetricDefinition mae_metric = of_rating_pairs<MeanError>({
    .name = "mae",
    .high = infinity,
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula =
        "sum over all pairs of |p - r|, divided by their number; a pair is a credited rating r and the score p its item "
        "was shown with",
    .unit = "rating",
    .says = "How far predictions are off on average, in points of the rating scale. All errors count alike wherever the item "
            "stood in the list, so it says little about rankings.",
    .edges = "Null without pairs. A rating without value, or of an item without score, gives no pair.",
    .elsewhere = "Averaged over users or lists first by some tools; here with `unit: user`, `unit: list`.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = mae_examples,
    .arithmetic = errors_text<any>,
});

constinit const MetricDefinition nmae_metric = of_rating_pairs<NormalizedError>({
    .name = "nmae",
    .high = infinity,
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula = "mae / (max - min) of the rating scale (ratings.min, ratings.max)",
    .says = "mae as a share of the scale, to compare data with different scales.",
    .edges = "Null without pairs. Above 1 when predictions lie off the scale.",
    .source = "Herlocker et al. 2004, section 4.1.1; Goldberg et al.: Eigentaste, Information Retrieval 4(2), 2001",
    .examples = nmae_examples,
    .arithmetic = normalized_text,
});

constinit const MetricDefinition mae_extremes_metric = of_rating_pairs<ErrorOfExtremes>({
    .name = "mae_extremes",
    .high = infinity,
    .better = Better::lower,
    .laws = {Law::none_beyond_family},  // the bounds do not move with the scores
    .formula = "mae over the pairs with r < ratings.extremes[0] or r > ratings.extremes[1]",
    .own_evidence = "such a pair",
    .unit = "rating",
    .says = "How far predictions are off where people felt strongly, which is where errors hurt.",
    .edges = "Null without such pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1, after Shardanand, Maes: Social information filtering, CHI 1995",
    .examples = extremes_examples,
    .arithmetic = errors_text<is_extreme>,
    .has_evidence = has_extreme_pair,
});

constinit const MetricDefinition mse_metric = of_rating_pairs<MeanSquare>({
    .name = "mse",
    .high = infinity,
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula = "sum over all pairs of (p - r)^2, divided by their number; a pair is a credited rating r and the score p its "
               "item was shown with",
    .unit = "rating^2",
    .says = "As mae, but an error of two points counts four times as much as one of one point: a few large errors decide it.",
    .edges = "Null without pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = mse_examples,
    .arithmetic = squares_text,
});

constinit const MetricDefinition rmse_metric = of_rating_pairs<RootOfMeanSquare>({
    .name = "rmse",
    .high = infinity,
    .better = Better::lower,
    .laws = {Law::shift_of_scores},
    .formula = "square root of mse",
    .unit = "rating",
    .says = "mse in points of the rating scale; never below mae.",
    .edges = "Null without pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = rmse_examples,
    .arithmetic = root_text,
});

}  // namespace recmeter
