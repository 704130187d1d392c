#include "recmeter/evaluation/lane_rows.h"

#include <algorithm>
#include <utility>

namespace recmeter {

Result<void> LaneRows::write(const Row& row) {
  if (plan_.lanes.empty()) return sink_.write(row);
  const EvaluatorPlan& lane = plan_of(plan_, lane_);
  Row& own = rows_.emplace_back(row);
  own.segment.insert(own.segment.begin(), {lane.lane_key(), lane.lane});
  return {};
}

// Each lane's rows come in this order already.
Result<void> LaneRows::hand_over() {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.end + a.horizon < b.end + b.horizon; });
  for (const Row& row : std::exchange(rows_, {})) {
    if (auto written = sink_.write(row); !written) return written;
  }
  return {};
}

}  // namespace recmeter
