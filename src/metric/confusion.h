// Confusion: the top k of a list, read as a test that calls every item of the universe relevant or not. [S5].
//
// Items are counted once, however often the list repeats them; ranks nobody reported hold none. The universe has
// N = max(catalogue size, distinct items of the list + missed items), so no count is negative.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "metric/wide_column.h"
#include "metric/wide_int.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

// Count: of a list, or what such counts sum up to.
template <class Count>
struct BasicConfusion {
  Count tp{};  // relevant and in the top k
  Count fp{};  // in the top k, not relevant
  Count fn{};  // relevant, not in the top k
  Count tn{};  // neither

  [[nodiscard]] Count relevant() const { return tp + fn; }    // P
  [[nodiscard]] Count irrelevant() const { return fp + tn; }  // I
  [[nodiscard]] Count shown() const { return tp + fp; }
  [[nodiscard]] Count others() const { return fn + tn; }
};
using Confusion = BasicConfusion<std::uint64_t>;
using WideConfusion = BasicConfusion<WideInt>;

// Of worked examples.
inline const MetricOptions of_20_items{.catalog_size = 20};
inline const MetricOptions of_20_items_pooled{.unit = Unit::pooled, .catalog_size = 20};

// Requires: ListPart::missed and ListPart::distinct.
[[nodiscard]] Confusion confusion_at(const ScoredList& list, std::uint32_t k, const MetricOptions& options);

// Whether the universe holds irrelevant items; whether it holds both kinds. The same at every k.
[[nodiscard]] bool has_irrelevant(const ScoredList& list, std::uint32_t k, const MetricOptions& options);
[[nodiscard]] bool has_both_kinds(const ScoredList& list, std::uint32_t k, const MetricOptions& options);

// The PooledForm of a quotient of the summed counts, null where its denominator is 0; is_square: of a value's square with the
// value's sign.
template <Quotient (*formula)(const WideConfusion&), bool is_square = false>
struct ConfusionForm {
  static constexpr std::size_t width = 2;  // 2^31 lists of 2^41 items

  static void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    const Confusion counts = confusion_at(list, k, options);
    add_wide(columns.subspan(0 * width, width), counts.tp);
    add_wide(columns.subspan(1 * width, width), counts.fp);
    add_wide(columns.subspan(2 * width, width), counts.fn);
    add_wide(columns.subspan(3 * width, width), counts.tn);
  }
  static Quotient exact(const ColumnSums& sums) {
    const auto sum = [&](std::size_t at) { return WideInt(wide_sum<Int128>(sums.columns.subspan(at * width, width))); };
    return formula({.tp = sum(0), .fp = sum(1), .fn = sum(2), .tn = sum(3)});
  }
  static std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
    const Quotient quotient = exact(sums);
    if (quotient.denominator == 0) return std::nullopt;
    const double rounded = rounded_quotient(quotient.numerator, quotient.denominator, 0);
    return is_square ? std::copysign(std::sqrt(std::abs(rounded)), rounded) : rounded;
  }
  static constexpr PooledForm in_range(double low, double high) {
    return {.columns = 4 * width,
            .moved_by = MovedBy::every_list,
            .add = add,
            .value = value,
            .exact = exact,
            .low = low,
            .high = high};
  }
};

}  // namespace recmeter
