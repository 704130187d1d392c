// Both estimates of examination from their definitions, slowly: loops over all that was shown, in doubles, and once more
// without each user group. It shares no code with the product but the words for reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/examination/show_counts.h"

namespace recmeter::examining {

// An item shown in a list.
struct Look {
  std::size_t item = 0;
  std::uint32_t rank = 1;
  std::size_t variant = 0;
  std::size_t group = 0;  // of the user
  bool is_clicked = false;
};

struct LookLog {
  std::vector<Look> looks;
  std::vector<std::size_t> lists;  // the group of each

  [[nodiscard]] ShowCounts counts() const;
};

struct SlowRank {
  std::optional<double> value;
  std::optional<std::pair<double, double>> ci;
  std::string reason;
  double shown = 0;
  double clicked = 0;
  double comparisons = 0;
};

struct SlowExamined {
  std::vector<SlowRank> ranks;
  std::optional<double> first;
  double moved = 0;
};

[[nodiscard]] SlowExamined slow_random_order(const LookLog& log, double min, double confidence);
[[nodiscard]] SlowExamined slow_harvested(const LookLog& log, double min, double confidence);

}  // namespace recmeter::examining
