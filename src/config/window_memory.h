// What windows that are not final take in memory, by the sizes of what they are made of, for traffic as `WindowTraffic` says.
//
// A window of n panes of a segment value, for each horizon: n + 1 PaneSums (the one that fills) with the columns of the user
// groups that have feedback in a pane, and one RunningSums, with the users of n + 1 panes where metrics look at users. Once
// for all horizons and for each cutoff of coverage: n + 1 ItemSets, whose pages are touched all by a few thousand items, and,
// where n > 1, a mark for each item of the window. A preview keeps its panes for the longest window and the longest horizon.
// Pure functions; any thread.
#pragma once

#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter::config {

struct WindowTraffic {
  double lists_per_second = 0;
  double feedback_per_list = 0;
  double items_per_list = 0;
  double items = 0;     // there are, shown alike
  double users = 0;     // there are, equally active
  double segments = 1;  // values of all combinations, with the whole: lists are dealt to them evenly
  double combinations = 1;
};

// Bytes, of one lane.
[[nodiscard]] double sums_memory(const EvaluatorPlan& plan, const WindowTraffic& of);
[[nodiscard]] double exposure_memory(const EvaluatorPlan& plan, const WindowTraffic& of);
// Of both, in the preview that makes provisional rows.
[[nodiscard]] double preview_memory(const EvaluatorPlan& plan, const WindowTraffic& of);

}  // namespace recmeter::config
