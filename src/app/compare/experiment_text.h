// A look at an experiment in sentences and a table that need no statistician. Pure functions; any thread.
#pragma once

#include <string>

#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

// What counts now: what was decided first stays, unless the experiment has since turned out to be broken ([S10.32]).
[[nodiscard]] Verdict standing_verdict(const ExperimentRow& row);

// "Ship B: precision@10 is better, and no guardrail is hurt."
[[nodiscard]] std::string verdict_sentence(const ExperimentRow& row);

// "B is 2.4 % better than A in precision@10; not yet sure: between -0.7 % and +5.6 %; at this pace 9 more days."
[[nodiscard]] std::string metric_sentence(const MetricRow& metric, const ComparisonRow& of, std::string_view control);

[[nodiscard]] std::string experiment_text(const ExperimentRow& row);
[[nodiscard]] std::string experiment_markdown(const ExperimentRow& row);

}  // namespace recmeter
