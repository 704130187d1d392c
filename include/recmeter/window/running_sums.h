// RunningSums: the sums of one segment value and horizon in a window that moves: a state of SlidingWindow. 128 bits wide, so
// that no number of lists overflows. A pane that entered and left leaves no trace. Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_users.h"

namespace recmeter {

class RunningSums {
 public:
  using Cell = PaneSums;

  void enter(const PaneSums& pane) { apply(pane, 1); }
  void leave(const PaneSums& pane) { apply(pane, -1); }
  void add(const RunningSums& other);

  [[nodiscard]] std::uint64_t lists() const { return lists_total_; }
  [[nodiscard]] std::uint64_t unmatured() const { return unmatured_; }
  [[nodiscard]] AssignedFeedback feedback(std::size_t action) const;
  // The value of a metric of any family but exposure, with what belongs to it.
  [[nodiscard]] Estimate estimate(const PlannedMetric& metric, double confidence) const;
  // A mean over lists, taken apart by user group.
  [[nodiscard]] GroupSums group_sums(const PlannedMetric& metric) const;
  // Summed over all users; empty when all are zero.
  [[nodiscard]] std::vector<Int128> columns(std::size_t first, std::size_t count) const;
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof(*this) + columns_.capacity() * sizeof(Int128) + users_.memory_bytes() + buckets_.memory_bytes();
  }

 private:
  void apply(const PaneSums& pane, int sign);
  [[nodiscard]] std::array<std::uint64_t, user_groups> counts(std::size_t column) const;
  [[nodiscard]] Estimate estimate_lists(const PlannedMetric& metric, double confidence) const;
  [[nodiscard]] Estimate estimate_users(const PlannedMetric& metric, double confidence) const;
  [[nodiscard]] Estimate estimate_rank(const PlannedMetric& metric) const;
  [[nodiscard]] WeightFacts weight_facts(const PlannedMetric& metric, std::span<const Int128> columns) const;
  void judge_weights(const PlannedMetric& metric, const GroupColumns& sums, Estimate& estimate) const;

  std::array<std::uint64_t, user_groups> lists_{};
  std::vector<Int128> columns_;  // user_groups rows of width_; empty when all are zero
  std::size_t width_ = 0;
  std::vector<AssignedFeedback> feedback_;
  std::uint64_t lists_total_ = 0;
  std::uint64_t unmatured_ = 0;
  RunningUsers users_;
  BucketCounts buckets_;
};

}  // namespace recmeter
