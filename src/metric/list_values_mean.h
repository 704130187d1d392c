// ListValuesMean: of a metric that is made of the sums of all lists, the mean over lists of its value of each list alone,
// over those for which it exists: `unit: list`. [S5.41].
#pragma once

#include <array>
#include <optional>

#include "metric/rating_pairs.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

// The value of one list alone. `Sums` is a type with the PooledForm `pooled`, here and below: templates of an object of one
// file are given to all files by GCC 14, so that two metrics whose objects have one name would share their values.
template <class Sums>
std::optional<double> value_alone(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  constexpr const PooledForm& form = Sums::pooled;
  static_assert(form.columns_per_rank == 0);
  std::array<std::int64_t, form.columns> columns{};
  form.add(list, k, options, columns);
  std::array<Int128, form.columns> sums{};
  for (std::size_t c = 0; c < columns.size(); ++c) sums[c] = columns[c];
  return form.value({.lists = 1, .evidence = 1, .columns = sums}, k, options);
}

template <std::optional<double> (*value_of)(const ScoredList&, std::uint32_t, const MetricOptions&)>
struct ListValuesMean {
  static constexpr std::size_t width = 4;  // 2^31 lists of 2^92

  // MetricDefinition::has_evidence where a list may say something to the sums, as `to_sums` has it, that is no value yet.
  template <bool (*to_sums)(const ScoredList&, std::uint32_t, const MetricOptions&)>
  static bool has_evidence(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    return options.unit == Unit::list ? value_of(list, k, options).has_value() : to_sums(list, k, options);
  }

  // Columns: lists with a value, the sum of these.
  static void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    const std::optional<double> value = value_of(list, k, options);
    if (!value) return;
    ++columns[0];
    add_wide(columns.subspan(1, width), to_q32_wide(*value));
  }
  static std::optional<double> mean(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
    if (sums.columns[0] == 0) return std::nullopt;
    return rounded_quotient(wide_sum<WideInt>(sums.columns.subspan(1, width)), WideInt(sums.columns[0]), -q32_fraction_bits);
  }
  static constexpr PooledForm in_range(double low, double high) {
    return {.columns = 1 + width,
            .moved_by = MovedBy::feedback,
            .add = add,
            .value = mean,
            .exact = next_by_first<width>,
            .weight = first_column,
            .low = low,
            .high = high};
  }
};

// The mean of the values of each list.
template <class Sums>
inline constexpr PooledForm mean_of_values_alone =
    ListValuesMean<value_alone<Sums>>::in_range(Sums::pooled.low, Sums::pooled.high);

}  // namespace recmeter
