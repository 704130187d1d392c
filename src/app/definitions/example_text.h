// The lists of worked examples, and what comes of them, in words. Pure functions; any thread.
#pragma once

#include <string>

#include "recmeter/metric/worked_example.h"

namespace recmeter {

// Of a list, "" where there are none: its items by rank, its grades, what the user missed, ratings with scores, those given
// again, and who acted before it.
[[nodiscard]] std::string items_text(const ExampleList& example);
[[nodiscard]] std::string grades_text(const ScoredList& list);
[[nodiscard]] std::string missed_text(const ScoredList& list);
[[nodiscard]] std::string ratings_text(const ScoredList& list);
[[nodiscard]] std::string retests_text(const ScoredList& list);
// How likely its policy and another were to show it: "rank 1: 0.4 / 0.5".
[[nodiscard]] std::string policy_text(const ScoredList& list);
[[nodiscard]] std::string before_text(const ExampleList& example);
// All of that on one line: "a b c d; grades rank 1: 1; missed 6 of grade 1".
[[nodiscard]] std::string list_text(const ExampleList& example);

// " of list A is 0.4: 2 / 5", for after the metric's name.
[[nodiscard]] std::string example_text(const WorkedExample& example);

}  // namespace recmeter
