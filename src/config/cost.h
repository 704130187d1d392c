// What a configuration costs whatever is read: `validate` says it, and loading refuses what is beyond `limits`.
#pragma once

#include <string>

#include "config/faults.h"
#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter::config {

// Where every combination of segment keys has one value; with more values there are as many times more rows.
struct Cost {
  double windows_per_list = 0;  // of the window with most: size / slide
  double values_per_list = 0;   // windows x horizons x combinations x values of a row
  double rows_per_day = 0;      // of event time
  double values_per_day = 0;
};

[[nodiscard]] Cost cost_of(const EvaluatorPlan& plan);

// Faults for what is beyond limits.values_per_list and limits.values_per_day. The windows say themselves where they are
// beyond limits.windows_per_list.
void check_cost(const EvaluatorPlan& plan, Faults& faults);

// "12,345"
[[nodiscard]] std::string count_text(double count);

}  // namespace recmeter::config
