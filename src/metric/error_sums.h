// Sums of how far pairs are apart, and what is made of them: the mean, the mean square, its root. [S5.15], [S5.43].
//
// Columns: pairs, then the sum of |p - r|, or of (p - r)^2, which is p^2 - 2pr + r^2 exactly. Pure functions.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metric/rating_pairs.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter::error_sums {

inline constexpr std::size_t absolute_width = 3;
inline constexpr std::size_t square_width = 4;

inline void add_absolute(const RatingPair& pair, std::span<std::int64_t> columns) {
  ++columns[0];
  add_wide(columns.subspan(1), pair.absolute_error());
}
inline void add_square(const RatingPair& pair, std::span<std::int64_t> columns) {
  ++columns[0];
  add_wide(columns.subspan(1), Int128{pair.error()} * pair.error());
}

inline std::optional<double> mean(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.columns[0] == 0) return std::nullopt;
  const auto total = wide_sum<Int128>(sums.columns.subspan(1, absolute_width));
  return mean_of_q32(total, static_cast<std::uint64_t>(sums.columns[0]));
}
inline std::optional<double> mean_square(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  if (sums.columns[0] == 0) return std::nullopt;
  const auto total = wide_sum<WideInt>(sums.columns.subspan(1, square_width));
  return rounded_quotient(total, WideInt(sums.columns[0]), -2 * q32_fraction_bits);
}
inline std::optional<double> root(const ColumnSums& sums, std::uint32_t k, const MetricOptions& options) {
  const std::optional<double> square = mean_square(sums, k, options);
  if (!square) return std::nullopt;
  return std::sqrt(*square);
}

template <std::size_t width>
constexpr PooledForm form_of(decltype(PooledForm::add) add_list, decltype(PooledForm::value) value) {
  return {.columns = 1 + width,
          .moved_by = MovedBy::feedback,
          .add = add_list,
          .value = value,
          .exact = next_by_first<width>,
          .weight = first_column,
          .low = 0,
          .high = std::numeric_limits<double>::infinity()};
}
constexpr PooledForm of_absolute(decltype(PooledForm::add) add_list, decltype(PooledForm::value) value = mean) {
  return form_of<absolute_width>(add_list, value);
}
constexpr PooledForm of_squares(decltype(PooledForm::add) add_list, decltype(PooledForm::value) value) {
  return form_of<square_width>(add_list, value);
}

inline std::string absolute_text(const RatingPair& pair) {
  return four_decimals(mean_of_q32(pair.absolute_error(), 1));
}
inline std::string square_text(const RatingPair& pair) {
  const double error = mean_of_q32(pair.error(), 1);
  return four_decimals(error * error);
}
inline std::string mean_text(const std::vector<std::string>& terms) {
  return sum_text(terms) + " / " + std::to_string(terms.size());
}

}  // namespace recmeter::error_sums
