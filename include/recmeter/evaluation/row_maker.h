// RowMaker: sums of a window become its row. [I4]. Immutable after construction; any thread.
#pragma once

#include <cstddef>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/result/row.h"
#include "recmeter/window/running_exposure.h"
#include "recmeter/window/running_sums.h"
#include "recmeter/window/sliding_window.h"

namespace recmeter {

class RowMaker {
 public:
  // `plan` outlives it.
  explicit RowMaker(const EvaluatorPlan& plan) : plan_(plan) {}

  // Which row: indices into the configuration, combination 0: the whole.
  struct Of {
    std::size_t window;
    std::size_t combination;
    std::size_t horizon;
    EventTime start;
    EventTime end;
    Stage stage;
  };
  // `exposure`: of the same window and combination; null when no metric asks for it.
  [[nodiscard]] Row make(const Of& of, const SlidingWindow<RunningSums>::Segment& segment, const WindowExposure* exposure,
                         const LogStart& log_start) const;

 private:
  void fill_metrics(Row& row, const RunningSums& sums, const std::vector<ExposureSnapshot>* exposure) const;

  const EvaluatorPlan& plan_;
};

}  // namespace recmeter
