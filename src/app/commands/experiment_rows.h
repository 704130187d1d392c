// ExperimentRows: looks become rows of experiments, where they go, and the newest of each the end of a table. Thread safety:
// none.
#pragma once

#include <optional>
#include <vector>

#include "app/run/row_writer.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/file/atomic_file.h"

namespace recmeter {

class ExperimentRows {
 public:
  // All outlive it; `file` may be null.
  ExperimentRows(const EvaluatorPlan& plan, RowWriter& rows, file::AtomicFile* file);

  // Errors: those of `file`.
  [[nodiscard]] Result<void> write(const ExperimentLook& look);
  void end_table();

 private:
  struct Course {
    ExperimentJudge judge;
    std::optional<ExperimentRow> newest;
  };
  RowWriter& rows_;
  file::AtomicFile* file_;
  std::vector<Course> courses_;
};

}  // namespace recmeter
