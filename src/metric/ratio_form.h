// RatioForm: a metric whose list value is a quotient. Its value, its arithmetic, and its PooledForm: the summed numerators by
// the summed denominators.
#pragma once

#include <string>

#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

struct RatioParts {
  double numerator = 0;
  double denominator = 0;

  // 0/0 is 0.
  [[nodiscard]] double quotient() const { return numerator == 0 ? 0 : numerator / denominator; }
};

// PooledForm::exact where the first `width` columns are divided by the next.
template <std::size_t width>
[[nodiscard]] Quotient first_by_next(const ColumnSums& sums) {
  return {wide_sum<WideInt>(sums.columns.first(width)), wide_sum<WideInt>(sums.columns.subspan(width, width))};
}

// parts(list, k, options): of one list. Both are rounded to 2^-32; magnitudes below 2^60.
template <RatioParts (*parts)(const ScoredList&, std::uint32_t, const MetricOptions&)>
struct RatioForm {
  static constexpr std::size_t width = 3;  // 2^31 lists of 2^60

  static double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    return parts(list, k, options).quotient();
  }
  static std::string arithmetic(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    const RatioParts of_list = parts(list, k, options);
    return four_decimals(of_list.numerator) + " / " + four_decimals(of_list.denominator);
  }
  static void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    const RatioParts of_list = parts(list, k, options);
    add_wide(columns.first(width), to_q32_wide(of_list.numerator));
    add_wide(columns.subspan(width, width), to_q32_wide(of_list.denominator));
  }
  static std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
    const auto denominator = wide_sum<Int128>(sums.columns.subspan(width, width));
    if (denominator == 0) return std::nullopt;
    return quotient_of(wide_sum<Int128>(sums.columns.first(width)), denominator);
  }
  // `high`: of the range of the value.
  [[nodiscard]] static constexpr PooledForm form(MovedBy moved_by, double high) {
    return {.columns = 2 * width,
            .moved_by = moved_by,
            .add = add,
            .value = value,
            .exact = first_by_next<width>,
            .ratio_width = width,
            .high = high};
  }
  template <MovedBy moved_by>
  static constexpr PooledForm pooled = form(moved_by, 1);
};

}  // namespace recmeter
