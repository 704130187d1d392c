// RunningSums: the sums of one window, segment value and horizon while the window moves: panes enter and leave. 128 bits
// wide, so that no number of lists overflows. Adding and subtracting the same pane leaves no trace. Thread safety: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recmeter/window/pane_sums.h"

namespace recmeter {

class RunningSums {
 public:
  void add(const PaneSums& pane) { apply(pane, 1); }
  void subtract(const PaneSums& pane) { apply(pane, -1); }
  void add(const RunningSums& other);

  [[nodiscard]] std::uint64_t lists() const { return lists_total_; }
  [[nodiscard]] std::uint64_t unmatured() const { return unmatured_; }
  [[nodiscard]] AssignedFeedback feedback(std::size_t action) const;
  // What metric/estimate.h needs for a metric in `column`; `evidence`: the kind whose lists count as evidence.
  [[nodiscard]] GroupSums group_sums(std::size_t column, Evidence evidence) const;
  [[nodiscard]] std::size_t memory_bytes() const { return sizeof(*this) + columns_.capacity() * sizeof(Int128); }

 private:
  void apply(const PaneSums& pane, int sign);

  std::array<std::uint64_t, user_groups> lists_{};
  std::vector<Int128> columns_;  // user_groups rows of width_; empty when all are zero
  std::size_t width_ = 0;
  std::vector<AssignedFeedback> feedback_;
  std::uint64_t lists_total_ = 0;
  std::uint64_t unmatured_ = 0;
};

}  // namespace recmeter
