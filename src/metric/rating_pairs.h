// RatingPair: a rating and the score its item was shown with, which is what the system predicted. [S5], "Ratings".
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

// Both rounded once to 2^-32. Magnitudes are at most 1e8, so a difference has 60 bits and a product 119.
struct RatingPair {
  std::int64_t prediction;
  std::int64_t rating;

  [[nodiscard]] std::int64_t error() const { return prediction - rating; }
  [[nodiscard]] std::int64_t absolute_error() const { return error() < 0 ? -error() : error(); }
};

// Every pair of the list, by rank.
template <class Visit>
void for_each_pair(const ScoredList& list, Visit&& visit) {
  for (const Rating& rating : list.ratings) {
    if (rating.has_prediction) visit(RatingPair{to_q32(rating.prediction), to_q32(rating.rating)});
  }
}

[[nodiscard]] inline bool has_pair(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  for (const Rating& rating : list.ratings) {
    if (rating.has_prediction) return true;
  }
  return false;
}

// PooledForm::weight where the first column counts what the value is over.
[[nodiscard]] inline std::uint64_t first_column(const ColumnSums& sums) {
  return static_cast<std::uint64_t>(sums.columns[0]);
}

// PooledForm::exact where the first column divides what the next `width` hold.
template <std::size_t width>
[[nodiscard]] Quotient next_by_first(const ColumnSums& sums) {
  return {wide_sum<WideInt>(sums.columns.subspan(1, width)), WideInt(sums.columns[0])};
}

// A share of what feedback says: `add` counts in the first column and, of these, in the second.
template <decltype(PooledForm::add) add>
struct CountedShare {
  static std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
    if (sums.columns[0] == 0) return std::nullopt;
    return share_of(static_cast<std::uint64_t>(sums.columns[1]), static_cast<std::uint64_t>(sums.columns[0]));
  }
  static std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    std::array<std::int64_t, 2> counts{};
    add(list, k, options, counts);
    return std::to_string(counts[1]) + " / " + std::to_string(counts[0]);
  }
  static constexpr PooledForm pooled{.columns = 2,
                                     .moved_by = MovedBy::feedback,
                                     .add = add,
                                     .value = value,
                                     .exact = next_by_first<1>,
                                     .weight = first_column};
};

}  // namespace recmeter
