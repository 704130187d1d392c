// LaneRows: the rows of the evaluations of a plan as those of one run: the lane in front of the segments, and in the order of
// the time at which they became due, end + horizon, then in that of lanes. [S13.6]. Without lanes rows pass as they are.
//
// Thread safety: none. Memory: the rows of one step, where there are lanes.
#pragma once

#include <cstddef>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

// The evaluations of a plan: one, or one for each lane, what was shown first.
[[nodiscard]] inline std::size_t evaluations_of(const EvaluatorPlan& plan) {
  return plan.lanes.empty() ? 1 : plan.lanes.size();
}
// Requires: `lane` is below evaluations_of().
[[nodiscard]] inline const EvaluatorPlan& plan_of(const EvaluatorPlan& plan, std::size_t lane) {
  return plan.lanes.empty() ? plan : plan.lanes[lane]->plan;
}
// The time that an evaluation of the plan has come to when the log has come to `w`.
[[nodiscard]] inline EventTime lane_time(const EvaluatorPlan& plan, EventTime w) {
  return w == plus_infinity || w == minus_infinity ? w : w - plan.lane_delay();
}

class LaneRows : public RowSink {
 public:
  // Both outlive it.
  LaneRows(const EvaluatorPlan& plan, RowSink& sink) : plan_(plan), sink_(sink) {}

  // Whose rows come next. Requires: within a step lanes come in their order.
  void begin(std::size_t lane) { lane_ = lane; }
  [[nodiscard]] Result<void> write(const Row& row) override;
  // All lanes have come to the same time. Errors: those of the sink.
  [[nodiscard]] Result<void> hand_over();

 private:
  const EvaluatorPlan& plan_;
  RowSink& sink_;
  std::size_t lane_ = 0;
  std::vector<Row> rows_;
};

}  // namespace recmeter
