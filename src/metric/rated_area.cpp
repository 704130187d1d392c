// The area under the ROC curve of scores as a test for what users rate high: rated_auc.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "metric/families.h"
#include "metric/metrics.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

namespace {

constexpr std::size_t bins = 1024;

bool is_liked(const Rating& rating, const MetricOptions& options) {
  return rating.rating >= options.from.value_or(options.ratings.liked);
}

// Which of the equal parts of the rating scale a score is in; of one off the scale the nearest.
std::size_t bin_of(double score, const RatingRule& rule) {
  const std::int64_t low = to_q32(rule.min);
  const std::int64_t width = std::max<std::int64_t>(to_q32(rule.max) - low, 1);
  const Int128 bin = Int128{to_q32(score) - low} * bins / width;
  return static_cast<std::size_t>(std::clamp<Int128>(bin, 0, bins - 1));
}

// Couples of a liked item and another, by their scores.
struct Couples {
  std::uint64_t right = 0;  // the liked one is above
  std::uint64_t tied = 0;
  std::uint64_t liked = 0;
  std::uint64_t others = 0;

  [[nodiscard]] std::uint64_t all() const { return liked * others; }
};

// place(score): what is compared. Quadratic in the list's rated items, which are few.
template <class Place>
Couples couples_of(const ScoredList& list, const MetricOptions& options, const Place& place) {
  Couples couples;
  for (const Rating& rating : list.ratings) {
    if (!rating.has_prediction) continue;
    if (!is_liked(rating, options)) {
      ++couples.others;
      continue;
    }
    ++couples.liked;
    const auto own = place(rating.prediction);
    for (const Rating& other : list.ratings) {
      if (!other.has_prediction || is_liked(other, options)) continue;
      couples.right += own > place(other.prediction) ? 1U : 0U;
      couples.tied += own == place(other.prediction) ? 1U : 0U;
    }
  }
  return couples;
}
Couples exact_couples(const ScoredList& list, const MetricOptions& options) {
  return couples_of(list, options, [](double score) { return score; });
}

std::optional<double> area_of_list(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  const Couples couples = exact_couples(list, options);
  if (couples.all() == 0) return std::nullopt;
  return share_of(2 * couples.right + couples.tied, 2 * couples.all());
}

// Of a user: couples within each list. Twice the area, and the couples, of which a list has less than 2^41.
namespace of_user {

constexpr std::size_t width = 2;

void add(const ScoredList& list, std::uint32_t, const MetricOptions& options, std::span<std::int64_t> columns) {
  const Couples couples = exact_couples(list, options);
  add_wide(columns.first(width), 2 * couples.right + couples.tied);
  add_wide(columns.subspan(width, width), couples.all());
}

std::optional<double> area(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const auto all = wide_sum<Int128>(sums.columns.subspan(width, width));
  if (all == 0) return std::nullopt;
  return quotient_of(wide_sum<Int128>(sums.columns.first(width)), 2 * all);
}

constexpr PooledForm form{.columns = 2 * width, .moved_by = MovedBy::feedback, .add = add, .value = area};

}  // namespace of_user

// Of all pairs together: by bin, the liked items and the others.
namespace of_bins {

void add(const ScoredList& list, std::uint32_t, const MetricOptions& options, std::span<std::int64_t> columns) {
  for (const Rating& rating : list.ratings) {
    if (rating.has_prediction)
      ++columns[2 * bin_of(rating.prediction, options.ratings) + (is_liked(rating, options) ? 0 : 1)];
  }
}

struct Total {
  Int128 liked = 0;
  Int128 others = 0;
};
Total total_of(const ColumnSums& sums) {
  Total total;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    total.liked += sums.columns[2 * bin];
    total.others += sums.columns[2 * bin + 1];
  }
  return total;
}

// Twice the right couples: of an item that is not liked the liked ones of higher bins, and half of those of its own.
template <class Integer>
Integer doubled_area(const ColumnSums& sums, Int128 liked) {
  Integer doubled = 0;
  Int128 above = liked;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const Int128 liked_here = sums.columns[2 * bin];
    above -= liked_here;
    if (const Int128 others = sums.columns[2 * bin + 1]; others != 0)
      doubled += Integer(others) * Integer(2 * above + liked_here);
  }
  return doubled;
}

Quotient share_of_couples(const ColumnSums& sums) {
  const Total total = total_of(sums);
  return {doubled_area<WideInt>(sums, total.liked), WideInt(2 * total.liked) * WideInt(total.others)};
}

std::optional<double> area(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const Total total = total_of(sums);
  if (total.liked == 0 || total.others == 0) return std::nullopt;
  constexpr Int128 narrow = Int128{1} << 62;
  if (total.liked < narrow && total.others < narrow) {
    return quotient_of(doubled_area<Int128>(sums, total.liked), 2 * total.liked * total.others);
  }
  const Quotient share = share_of_couples(sums);
  return rounded_quotient(share.numerator, share.denominator, 0);
}

std::uint64_t pairs(const ColumnSums& sums) {
  const Total total = total_of(sums);
  return static_cast<std::uint64_t>(total.liked + total.others);
}

struct Area {
  static constexpr PooledForm pooled{.columns = 2 * bins,
                                     .moved_by = MovedBy::feedback,
                                     .add = add,
                                     .value = area,
                                     .exact = share_of_couples,
                                     .weight = pairs};
};

}  // namespace of_bins

constexpr PooledForm mean_of_areas = ListValuesMean<area_of_list>::in_range(0, 1);

std::string area_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  const bool of_scores = options.unit != Unit::pooled;
  const Couples couples = of_scores ? exact_couples(list, options)
                                    : couples_of(list, options, [&](double score) { return bin_of(score, options.ratings); });
  return "(" + std::to_string(couples.right) + " + " + std::to_string(couples.tied) + " / 2) / (" +
         std::to_string(couples.liked) + " * " + std::to_string(couples.others) + ")";
}

const std::array worked_examples{
    WorkedExample{
        .lists = "R",
        .arithmetic = "4.5 and 3.5 are liked, 4 and 3 are not, and one of four couples is wrong: (3 + 0 / 2) / (2 * 2)",
        .value = 0.75},
    WorkedExample{.lists = "RS", .arithmetic = "of S two more are not: (5 + 1 / 2) / (2 * 4)", .value = 0.6875},
    WorkedExample{.lists = "RS",
                  .arithmetic = "R is right in all couples, S in none: (3 / 3 + 0 / 1) / 2",
                  .value = 0.5,
                  .options = {.unit = Unit::list, .from = 2}},
};

}  // namespace

constinit const MetricDefinition rated_auc_metric = [] {
  MetricDefinition metric = of_rating_pairs<of_bins::Area>({
      .name = "rated_auc",
      .laws = {Law::none_beyond_family},  // neither the scale nor `from` moves with the scores
      .formula = "area under the ROC curve of scores as a test for ratings r >= from: the share of couples of a liked item "
                 "and another "
                 "in which the liked one has the higher score, ties half",
      .own_evidence = "a pair",
      .says = "How well scores tell what users like from what they do not, wherever a line is drawn. 0.5 is chance. Over all "
              "pairs "
              "it also asks whether generous users get higher scores; within a list or user it does not.",
      .edges = "`from` is ratings.liked where it is not written. Null without liked items, or without others. Over all pairs "
               "scores "
               "are told apart by 1,024 equal parts of the rating scale, and those off it count at its ends; by list or user "
               "exactly. Of a user the couples within each list count. It keeps 2,048 sums.",
      .elsewhere = "scikit-learn: roc_auc_score(rating >= from, score), exactly.",
      .source =
          "Herlocker et al. 2004, section 4.1.2 (ROC-4, ROC-5: from 4, 5); Hanley, McNeil: The meaning and use of the area "
          "under a receiver operating characteristic curve. Radiology 143(1), 1982",
      .examples = worked_examples,
      .arithmetic = area_text,
      .has_evidence = ListValuesMean<area_of_list>::has_evidence<has_pair>,
  });
  metric.takes = {MetricOption::unit_list, MetricOption::unit_user, MetricOption::liked_from};
  metric.mean_of_lists = &mean_of_areas;
  metric.of_user = &of_user::form;
  return metric;
}();

}  // namespace recmeter
