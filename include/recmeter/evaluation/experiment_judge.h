// ExperimentJudge: looks of one experiment become its rows: what the sums say, and what to do. [S10.20] to [S10.34].
//
// A row depends on the looks before it: on the largest evidence so far, on an alarm of the sample ratio, and on what was
// decided. Thread safety: none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/planned_experiment.h"
#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

class ExperimentJudge {
 public:
  // `evaluator`, `config`: as other rows of the evaluator have them; `config` of the experiment's rows is of the duration,
  // too. `experiment` outlives the judge.
  ExperimentJudge(const PlannedExperiment& experiment, std::string evaluator, const std::string& config);

  // Requires: looks of the experiment, in order.
  [[nodiscard]] ExperimentRow judge(const ExperimentLook& look);

 private:
  [[nodiscard]] ComparisonRule rule_for(const TestedMetric& metric) const;
  [[nodiscard]] ComparisonRule rule_at(const ExperimentLook& look, const TestedMetric& metric) const;
  void count_members(const ExperimentLook& look, ExperimentRow& row);
  void compare(const ExperimentLook& look, ExperimentRow& row);
  [[nodiscard]] ComparisonRow compare(const ExperimentLook& look, std::size_t metric, std::size_t arm);
  void compare_draft(const ExperimentLook& look, MetricRow& metric);
  [[nodiscard]] std::optional<BeforeRow> compare_before(const ExperimentLook& look, std::size_t metric, std::size_t arm);
  void finish(const ExperimentLook& look, std::size_t metric, std::size_t arm, ComparisonRow& row);
  [[nodiscard]] std::optional<Duration> more(const ExperimentLook& look, const Comparison& comparison,
                                             const ComparisonRule& rule) const;
  void discover(ExperimentRow& row) const;
  void decide(ExperimentRow& row);

  const PlannedExperiment& experiment_;
  std::string evaluator_;
  std::string config_;
  std::vector<std::size_t> order_;                         // the arms, control first
  std::vector<std::vector<std::optional<double>>> log_e_;  // the largest so far, by metric and arm
  std::vector<std::vector<std::optional<EventTime>>>
      differed_;  // by metric and arm: the look that found it, before the start
  SampleRatioRow sample_ratio_;
  std::optional<DecidedRow> decided_;
};

}  // namespace recmeter
