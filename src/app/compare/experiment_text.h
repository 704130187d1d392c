// A look at an experiment in sentences and a table that need no statistician. Pure functions; any thread.
#pragma once

#include <string>

#include "recmeter/experiment/experiment_row.h"

namespace recmeter {

// What counts: "Ship B: precision@10 is better, and no guardrail is hurt." Where this look says something else, that too,
// with the times of both.
[[nodiscard]] std::string verdict_sentence(const ExperimentRow& row);

// "B is 2.4 % higher than A in precision@10, which may be chance (between −0.7 % and +5.6 %); at this pace 9 more days."
// `is_last`: nothing comes behind this look.
[[nodiscard]] std::string metric_sentence(const MetricRow& metric, const ComparisonRow& of, std::string_view control,
                                          bool is_last = false);

// How a difference is spoken of that is not sure: ", which may be chance (between −0.7 % and +5.6 %); at this pace half a
// year: a few users decide it". `range`: "" where it is too wide to say. Behind the last look there is no pace.
[[nodiscard]] std::string doubt_text(const ComparisonRow& of, const std::string& range, bool is_last);

[[nodiscard]] std::string experiment_text(const ExperimentRow& row);
[[nodiscard]] std::string experiment_markdown(const ExperimentRow& row);

}  // namespace recmeter
