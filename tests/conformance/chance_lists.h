// ChanceLists: lists made by chance from a fixed seed, and what recmeter makes of each, under presets and options: to hold
// other tools against. One seed gives the same lists everywhere, so that values recorded once stay comparable.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/metric/plan.h"

namespace recmeter::conformance {

// A shown item, its grade and, for explicit feedback, its rating and the score it was shown with.
struct ShownItem {
  std::uint32_t item = 0;
  double grade = 0;  // 0 at the later ranks of a repeated item
  std::optional<std::pair<double, double>> rating = {};
};

struct ChanceList {
  std::vector<ShownItem> shown;
  std::vector<std::pair<std::uint32_t, double>> missed;  // item, grade
};

inline constexpr std::uint64_t chance_catalog = 60;  // items 0 .. 59
inline constexpr std::uint32_t chance_cutoffs[] = {1, 5, 10};

// Short, long, empty; with repeated items; nothing, one thing, much or all relevant, missed items, whole grades.
[[nodiscard]] std::vector<ChanceList> chance_lists(std::size_t count);

// Of a metric under a name like `trec_eval.map_cut@5`, or `own.mcc@5` for recmeter's definition: a value a list, null for
// those the mean leaves out, and what all lists give together. Metrics of exposure have the latter alone.
struct ChanceValues {
  std::vector<std::optional<double>> lists;
  std::optional<double> all;
};
[[nodiscard]] std::map<std::string, ChanceValues> chance_values(const std::vector<ChanceList>& lists);

}  // namespace recmeter::conformance
