// PooledForm: a value made of sums over all lists, not a mean of list values: summed numerator by summed denominator, a root,
// a correlation. [S6], "unit: pooled", and [S5], "Ratings".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "recmeter/base/exact_sum.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// Which lists can add to a metric's sums; all others are only counted. Most lists have no feedback at all.
enum class MovedBy : std::uint8_t {
  hits,        // lists with a relevant item
  relevant,    // lists with a relevant or a missed item
  feedback,    // lists with credited feedback
  action,      // lists with an item of an action that some metric asks for, or one that they missed
  policy,      // lists by which another policy is judged
  every_list,  // any
};

// What lists have added, summed over a group or all of them.
struct ColumnSums {
  std::uint64_t lists = 0;     // in the mean
  std::uint64_t evidence = 0;  // those with evidence
  std::span<const Int128> columns;
};

struct Quotient;  // metric/wide_int.h

struct PooledForm {
  std::size_t columns = 0;           // whatever the cutoff
  std::size_t columns_per_rank = 0;  // and as many again for each of the first k ranks
  MovedBy moved_by = MovedBy::every_list;
  // Adds a list's part; `columns` are columns_at(k). Not asked for lists that `moved_by` does not name or `over` leaves
  // out.
  void (*add)(const ScoredList& list, std::uint32_t k, const MetricOptions& options,
              std::span<std::int64_t> columns) = nullptr;
  // Null when undefined.
  std::optional<double> (*value)(const ColumnSums& sums, std::uint32_t k, const MetricOptions& options) = nullptr;
  // What decides whether two values are equal: the value is a function of this quotient, one that never takes two quotients
  // to one number but by rounding. Asked where there is a value.
  Quotient (*exact)(const ColumnSums& sums) = nullptr;
  // How many of what the value is over a group holds: groups without any are none of the jackknife's. By default its lists.
  std::uint64_t (*weight)(const ColumnSums& sums) = nullptr;
  // Where the value is a quotient of two sums: how many columns hold each (metric/wide_column.h), the numerator's first. 0:
  // it is none.
  std::size_t ratio_width = 0;
  std::size_t uncut_at = 0;  // where the numerator stands as it is without `cap`, in as many columns; 0: nowhere
  double low = 0;            // range, for the interval's scale; high may be infinite
  double high = 1;

  [[nodiscard]] constexpr std::size_t columns_at(std::uint32_t k) const { return columns + columns_per_rank * k; }
};

}  // namespace recmeter
