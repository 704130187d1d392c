// ListValues: what one list at one horizon adds to the columns of a plan. Worked out once, for all cells that the list counts
// in. Thread safety: none; it is meant to be used again for list after list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

class ListValues {
 public:
  ListValues() = default;
  ListValues(const MetricPlan& plan, const ScoredList& list) { assign(plan, list); }

  void assign(const MetricPlan& plan, const ScoredList& list);
  // Adds to no column from now on.
  void clear();

  // As many as the plan has; but for ranges() they are zero.
  [[nodiscard]] std::span<const std::int64_t> columns() const { return columns_; }
  // Empty when the list changes no column.
  [[nodiscard]] std::span<const ColumnRange> ranges() const { return ranges_; }
  // Of these, or behind them of user_columns().
  [[nodiscard]] std::int64_t column(std::size_t number) const {
    return number < columns_.size() ? columns_[number] : user_columns_[number - columns_.size()];
  }
  // Whether some metric looks at users one by one; and what it adds to its user's columns, of which there may be none.
  [[nodiscard]] bool for_user() const { return for_user_; }
  [[nodiscard]] std::span<const std::int64_t> user_columns() const { return user_columns_; }
  [[nodiscard]] bool nonempty() const { return nonempty_; }
  // In which it counts: MetricPlan::add_buckets().
  [[nodiscard]] std::span<const std::uint32_t> buckets() const { return buckets_; }

 private:
  std::vector<std::int64_t> columns_;
  std::vector<ColumnRange> ranges_;
  std::vector<std::int64_t> user_columns_;
  bool for_user_ = false;
  bool nonempty_ = false;
  std::vector<std::uint32_t> buckets_;
};

}  // namespace recmeter
