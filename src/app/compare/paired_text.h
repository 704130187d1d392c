// Paired lists as a table, in Markdown or as JSON ("recmeter.lists_comparison/1"). Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/compare/comparison_table.h"
#include "app/compare/paired_lists.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

// A table's account of the lists of some values.
struct PairedAnswer {
  std::vector<PairedLists::Pair> pairs;  // of the table, at least one
  ChosenControl control;
  std::string headline = {};  // the metric of the sentences; "": there are none
  Better better = Better::higher;
  std::size_t left_out = 0;  // metrics that the table does not show
  ArmsOfUsers users = ArmsOfUsers::unknown;
  std::vector<std::string> apart = {};  // a sentence for each arm that never ran at the time of the control
};

// A sentence for each horizon and arm.
[[nodiscard]] std::vector<std::string> paired_sentences(const PairedAnswer& answer);
[[nodiscard]] ComparisonTable paired_table(const PairedAnswer& answer);
// The head of a column of differences: `what`, and ", relative" or ", absolute"; where both are, cells with % are relative.
[[nodiscard]] std::string difference_heading(std::span<const PairedLists::Pair> pairs, std::string what);
// A line where a table has both; "" else.
[[nodiscard]] std::string units_text(std::span<const PairedLists::Pair> pairs);
// Notes without which the table cannot be read, a line each.
[[nodiscard]] std::string paired_notes(const PairedAnswer& answer);
// The answer in a sentence for each arm, the table, and what has to be known to read it.
[[nodiscard]] std::string paired_text(const PairedAnswer& answer);
[[nodiscard]] std::string paired_markdown(const PairedAnswer& answer);
// "new against old: precision@5 +6.5 % (−20 to +42), not decided", with whether it is better where one look decides and the
// control is known.
[[nodiscard]] std::string paired_sentence(const PairedLists::Pair& pair, const ChosenControl& control, Better better);
// "new has lists of 2025-01-22 to 2025-03-03, old of 2024-12-10 to 2024-12-15: they never ran at the same time, ...", for
// each arm of which that is so. The page says it by its rows (web/src/model/span.ts).
[[nodiscard]] std::vector<std::string> never_together(const PairedLists& lists, const std::string& control);
// "not decided", or what an interval of one look says of it. Requires: the pair has an interval.
[[nodiscard]] std::string_view decided_text(const PairedLists::Pair& pair, const ChosenControl& control, Better better);
// A line for each pair.
[[nodiscard]] std::string paired_json(std::span<const PairedLists::Pair> pairs, std::string_view control);

}  // namespace recmeter
