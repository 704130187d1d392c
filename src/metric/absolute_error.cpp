#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/metrics.h"
#include "metric/rating_pairs.h"
#include "metric/wide_column.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t error_columns = 3;

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

// Columns: pairs that count, sum of |p - r|.
template <bool (*counts)(const RatingPair&, const MetricOptions&)>
void add(const ScoredList& list, std::uint32_t, const MetricOptions& options, std::span<std::int64_t> columns) {
  for_each_pair(list, [&](const RatingPair& pair) {
    if (!counts(pair, options)) return;
    ++columns[0];
    add_wide(columns.subspan(1), pair.absolute_error());
  });
}

std::optional<double> mean(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.columns[0] == 0) return std::nullopt;
  const auto total = wide_sum<Int128>(sums.columns.subspan(1, error_columns));
  return mean_of_q32(total, static_cast<std::uint64_t>(sums.columns[0]));
}

std::optional<double> normalized(const ColumnSums& sums, std::uint32_t k, const MetricOptions& options) {
  const std::optional<double> error = mean(sums, k, options);
  if (!error) return std::nullopt;
  return *error / (options.ratings.max - options.ratings.min);
}

constexpr PooledForm form_of(decltype(PooledForm::add) add_list, decltype(PooledForm::value) value) {
  return {.columns = 1 + error_columns,
          .moved_by = MovedBy::feedback,
          .add = add_list,
          .value = value,
          .exact = next_by_first<error_columns>,
          .weight = first_column,
          .low = 0,
          .high = infinity};
}
constexpr PooledForm mae_form = form_of(add<any>, mean);
constexpr PooledForm nmae_form = form_of(add<any>, normalized);
constexpr PooledForm extremes_form = form_of(add<is_extreme>, mean);

template <bool (*counts)(const RatingPair&, const MetricOptions&)>
std::string errors_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  std::vector<std::string> errors;
  for_each_pair(list, [&](const RatingPair& pair) {
    if (counts(pair, options)) errors.push_back(four_decimals(mean_of_q32(pair.absolute_error(), 1)));
  });
  return sum_text(errors) + " / " + std::to_string(errors.size());
}
std::string normalized_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return errors_text<any>(list, k, options) + " / (" + four_decimals(options.ratings.max) + " - " +
         four_decimals(options.ratings.min) + ")";
}

constexpr std::array mae_examples{
    WorkedExample{.lists = "R", .arithmetic = "(0.5 + 1 + 0.5 + 2) / 4", .value = 1},
    WorkedExample{.lists = "RS", .arithmetic = "(0.5 + 1 + 0.5 + 2 + 3.5 + 0) / 6", .value = 1.25},
};
constexpr std::array nmae_examples{
    WorkedExample{.lists = "R", .arithmetic = "((0.5 + 1 + 0.5 + 2) / 4) / (5 - 1)", .value = 0.25},
};
constexpr std::array extremes_examples{
    WorkedExample{.lists = "R", .arithmetic = "ratings 5 and 1 are below 2 or above 4: (0.5 + 2) / 2", .value = 1.25},
};

}  // namespace

const MetricDefinition mae_metric{
    .name = "mae",
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
        "sum over all pairs of |p - r|, divided by their number; a pair is a credited rating r and the score p its item "
        "was shown with",
    .own_evidence = "a pair",
    .unit = "rating",
    .says =
        "How far predictions are off on average, in points of the rating scale. All errors count alike wherever the item "
        "stood in the list, so it says little about rankings.",
    .edges = "Null without pairs. A rating without value, or of an item without score, gives no pair.",
    .elsewhere = "Averaged over users or lists first by some tools; here over pairs.",
    .source = "Herlocker et al. 2004, section 4.1.1",
    .examples = mae_examples,
    .arithmetic = errors_text<any>,
    .has_evidence = has_pair,
    .pooled = &mae_form,
};

const MetricDefinition nmae_metric{
    .name = "nmae",
    .family = Family::pooled,
    .evidence = Evidence::own,
    .moved_by = MovedBy::feedback,
    .has_cutoff = false,
    .is_of_ratings = true,
    .needs = {ListPart::feedback},
    .low = 0,
    .high = infinity,
    .laws = {Law::shift_of_scores},
    .formula = "mae / (max - min) of the rating scale (ratings.min, ratings.max)",
    .own_evidence = "a pair",
    .says = "mae as a share of the scale, to compare data with different scales.",
    .edges = "Null without pairs. Above 1 when predictions lie off the scale.",
    .source = "Herlocker et al. 2004, section 4.1.1; Goldberg et al.: Eigentaste, Information Retrieval 4(2), 2001",
    .examples = nmae_examples,
    .arithmetic = normalized_text,
    .has_evidence = has_pair,
    .pooled = &nmae_form,
};

const MetricDefinition mae_extremes_metric{
    .name = "mae_extremes",
    .family = Family::pooled,
    .evidence = Evidence::own,
    .moved_by = MovedBy::feedback,
    .has_cutoff = false,
    .is_of_ratings = true,
    .needs = {ListPart::feedback},
    .low = 0,
    .high = infinity,
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
    .pooled = &extremes_form,
};

}  // namespace recmeter
