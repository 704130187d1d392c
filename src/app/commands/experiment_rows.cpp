#include "app/commands/experiment_rows.h"

#include <string>
#include <utility>

#include "app/run/experiment_table.h"

namespace recmeter {

ExperimentRows::ExperimentRows(const EvaluatorPlan& plan, RowWriter& rows, file::AtomicFile* file)
    : rows_(rows), file_(file) {
  for (const PlannedExperiment& experiment : plan.experiments) {
    courses_.push_back({ExperimentJudge(experiment, plan.spec->name, plan.spec->config_hash), std::nullopt});
  }
}

Result<void> ExperimentRows::write(const ExperimentLook& look) {
  Course& course = courses_[look.place];
  course.newest = course.judge.judge(look);
  return file_ != nullptr ? file_->write(render_json(*course.newest) + "\n") : Result<void>{};
}

void ExperimentRows::end_table() {
  std::string text;
  for (const Course& course : courses_) {
    if (course.newest) text += "\n" + experiment_table(*course.newest);
  }
  rows_.end_table_with(text);
}

}  // namespace recmeter
